import {
  type Evidence,
  evidenceHeight,
  evidenceTime,
  type LightClientAttackEvidence,
  type SignedHeader,
  type State,
} from '@org/types'
import type { SignatureChecker } from '../signatures/index.ts'
import type { BlockStore, StateStore } from '../store/index.ts'
import { EVIDENCE_ERRORS, EvidenceError, invalid } from './errors.ts'
import { isEvidenceExpired } from './expiry.ts'
import { formatGoTime } from './go-time.ts'
import { verifyDuplicateVote } from './verify-duplicate-vote.ts'
import { verifyLightClientAttack } from './verify-light-client-attack.ts'

export interface VerifyModules {
  readonly state: State
  readonly stateStore: Pick<StateStore, 'loadSigners'>
  readonly blockStore: Pick<BlockStore, 'height' | 'loadBlockMeta' | 'loadBlockCommit'>
  readonly signatures: Pick<SignatureChecker, 'verify' | 'findInvalid'>
  /** Returns true if the header of this height is missing, but is being fetched. Default: no header is fetched. */
  readonly isAwaited?: ((height: number) => boolean) | undefined
  /** True if the evidence may be too old, because +2/3 have voted for the block that contains it. Default: false. */
  readonly mayBeExpired?: boolean
}

/**
 * Rejects with an `EvidenceError` if the evidence is invalid. Also rejects if the evidence is too old for the block
 * that follows `state`, except for evidence of double votes with the option `mayBeExpired`.
 */
export async function verifyEvidence(evidence: Evidence, modules: VerifyModules): Promise<void> {
  const { state, stateStore, blockStore, signatures, isAwaited } = modules
  const height = evidenceHeight(evidence)
  // The reference verifies evidence of an attack on light clients in each block, even if the evidence is pending. So no
  // chain accepts this kind of evidence when it is too old.
  const mayBeExpired = modules.mayBeExpired === true && evidence.sum?.case === 'duplicateVoteEvidence'
  const meta = blockStore.loadBlockMeta(height)
  if (meta === undefined) {
    // If evidence about a height has expired, this node may have removed or never fetched the header of the height.
    if (mayBeExpired && isEvidenceExpired(state, { height, time: evidenceTime(evidence) })) return
    throw missingHeader(height, isAwaited?.(height) === true)
  }
  const { time } = meta.header
  if (evidenceTime(evidence) !== time) {
    const times = `${formatGoTime(evidenceTime(evidence))} != ${formatGoTime(time)}`
    throw invalid(`evidence has a different time to the block it is associated with (${times})`)
  }
  if (!mayBeExpired && isEvidenceExpired(state, { height, time })) {
    const { maxAgeNumBlocks, maxAgeDuration } = state.consensusParams.evidence
    const minHeight = BigInt(state.lastBlockHeight) - maxAgeNumBlocks
    const limit = formatGoTime(state.lastBlockTime + maxAgeDuration)
    throw invalid(
      `evidence from height ${height} (created at: ${formatGoTime(time)}) is too old; min height is ${minHeight} and evidence can not be older than ${limit}`,
    )
  }
  const { sum } = evidence
  if (sum?.case === 'duplicateVoteEvidence') {
    const validators = stateStore.loadSigners(height)
    verifyDuplicateVote(sum.value, { chainId: state.chainId, validators, verify: signatures.verify })
  } else if (sum?.case === 'lightClientAttackEvidence') {
    const common = signedHeader(blockStore, height)
    const trusted = trustedHeader(sum.value, common, blockStore)
    const commonValidators = stateStore.loadSigners(height)
    await verifyLightClientAttack(sum.value, { common, trusted, commonValidators, find: signatures.findInvalid })
  }
}

function missingHeader(height: number, isAwaited: boolean): EvidenceError {
  const reason = `don't have header #${height}`
  return isAwaited ? new EvidenceError(EVIDENCE_ERRORS.noHeader, reason, { data: { height } }) : invalid(reason)
}

function findSignedHeader({ loadBlockMeta, loadBlockCommit }: VerifyModules['blockStore'], height: number) {
  const header = loadBlockMeta(height)?.header
  const commit = loadBlockCommit(height)
  return { header, commit }
}

function signedHeader(blockStore: VerifyModules['blockStore'], height: number): SignedHeader {
  const { header, commit } = findSignedHeader(blockStore, height)
  if (header === undefined) throw invalid(`don't have header at height #${height}`)
  if (commit === undefined) throw invalid(`don't have commit at height #${height}`)
  return { header, commit }
}

/**
 * Returns this node's header that is compared with the conflicting header: the header of the same height, or the latest
 * header if this node has no header of that height.
 */
function trustedHeader(
  evidence: LightClientAttackEvidence,
  common: SignedHeader,
  blockStore: VerifyModules['blockStore'],
): SignedHeader {
  const conflicting = evidence.conflictingBlock?.signedHeader?.header
  if (conflicting === undefined) throw invalid('conflicting block missing header')
  if (conflicting.height === evidence.commonHeight) return common
  const same = findSignedHeader(blockStore, conflicting.height)
  if (same.header !== undefined && same.commit !== undefined) return same
  const latest = signedHeader(blockStore, blockStore.height())
  const time = latest.header?.time ?? 0n
  if (time < conflicting.time) {
    const times = `(${formatGoTime(time)}) is before conflicting block time (${formatGoTime(conflicting.time)})`
    throw invalid(`latest block time ${times}`)
  }
  return latest
}
