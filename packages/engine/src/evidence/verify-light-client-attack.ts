import { messageOf } from '@org/runtime'
import {
  byzantineValidators,
  hashHeader,
  isConflictingHeaderInvalid,
  type LightClientAttackEvidence,
  type SignedHeader,
  type ValidatorSet,
  verifyCommitLightAllSignatures,
  verifyCommitLightTrustingAllSignatures,
} from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import { addressOf } from '@org/types/crypto'
import type { SignatureChecker } from '../signatures/index.ts'
import { invalid } from './errors.ts'
import { formatGoTime } from './go-time.ts'
import { checkTotalPower } from './verify-duplicate-vote.ts'

export interface LightClientAttackContext {
  /**
   * This node's header at the common height, which is the last height before the conflicting chain differs from this
   * node's chain.
   */
  readonly common: SignedHeader
  /**
   * This node's header at the height of the conflicting header. If this node has no header of that height, its latest
   * header.
   */
  readonly trusted: SignedHeader
  /** The validators of the common height. */
  readonly commonValidators: ValidatorSet
  readonly find?: SignatureChecker['findInvalid']
}

/**
 * A light client accepts a header if the signers of the header have more than this fraction of the power that the
 * light client trusts.
 */
const TRUST_LEVEL = { numerator: 1n, denominator: 3n }

async function orInvalid(prefix: string, verification: Promise<void>): Promise<void> {
  try {
    await verification
  } catch (cause) {
    throw invalid(`${prefix}: ${messageOf(cause)}`, cause)
  }
}

/**
 * Rejects with an `EvidenceError` unless the conflicting block would have deceived a light client that trusts the
 * common header, and the evidence names exactly the guilty validators. The evidence must be well formed.
 */
export async function verifyLightClientAttack(
  evidence: LightClientAttackEvidence,
  { common, trusted, commonValidators, find }: LightClientAttackContext,
): Promise<void> {
  const { validatorSet, signedHeader } = evidence.conflictingBlock ?? {}
  const { header, commit } = signedHeader ?? {}
  if (header === undefined || commit === undefined || validatorSet === undefined) {
    throw invalid('conflicting block is incomplete')
  }
  if (trusted.header === undefined || common.header === undefined) throw invalid('trusted header is missing')
  const { chainId } = trusted.header
  if (common.header.height !== header.height) {
    const claim = { chainId, validators: commonValidators, commit, trustLevel: TRUST_LEVEL }
    await orInvalid(
      'skipping verification of conflicting block failed',
      verifyCommitLightTrustingAllSignatures(claim, find),
    )
  } else if (isConflictingHeaderInvalid(evidence, trusted.header)) {
    throw invalid(
      "common height is the same as conflicting block height so expected the conflicting block to be correctly derived yet it wasn't",
    )
  }
  const claim = { chainId, validators: validatorSet, blockId: commit.blockId, height: header.height, commit }
  await orInvalid('invalid commit from conflicting block', verifyCommitLightAllSignatures(claim, find))
  checkTotalPower(evidence.totalVotingPower, commonValidators)
  if (header.height > trusted.header.height && header.time > trusted.header.time) {
    const times = `(${formatGoTime(header.time)} is after ${formatGoTime(trusted.header.time)})`
    throw invalid(`conflicting block doesn't violate monotonically increasing time ${times}`)
  }
  const trustedHash = hashHeader(trusted.header)
  if (equalBytes(trustedHash, hashHeader(header))) {
    throw invalid(`trusted header hash matches the evidence's conflicting header hash: ${bytesToHex(trustedHash)}`)
  }
  checkByzantineValidators(evidence, { commonValidators, trusted })
}

/**
 * Throws an `EvidenceError` unless the evidence names exactly the validators that `byzantineValidators` returns, in the
 * same order.
 */
function checkByzantineValidators(
  evidence: LightClientAttackEvidence,
  { commonValidators, trusted }: Pick<LightClientAttackContext, 'commonValidators' | 'trusted'>,
): void {
  const guilty = byzantineValidators(evidence, commonValidators, trusted)
  const named = evidence.byzantineValidators
  if (guilty.length === 0 && named.length > 0) {
    throw invalid(`expected nil validators from an amnesia light client attack but got ${named.length}`)
  }
  if (guilty.length !== named.length) {
    throw invalid(`expected ${guilty.length} byzantine validators from evidence but got ${named.length}`)
  }
  for (const [index, validator] of guilty.entries()) {
    const other = named[index]
    if (other === undefined) continue
    const [address, otherAddress] = [bytesToHex(validator.address), bytesToHex(other.address)]
    if (address !== otherAddress) {
      const addresses = `expected: ${address}, got: ${otherAddress}`
      throw invalid(`evidence contained an unexpected byzantine validator address; ${addresses}`)
    }
    if (validator.votingPower !== other.votingPower) {
      const powers = `expected ${validator.votingPower}, got ${other.votingPower}`
      throw invalid(`evidence contained unexpected byzantine validator power; ${powers}`)
    }
    // The application receives the address that is computed from this key. So evidence with a wrong key would accuse
    // another validator.
    const derived = bytesToHex(addressOf(other.pubKey))
    if (derived !== otherAddress) {
      throw invalid(
        `byzantine validator at index ${index} has address ${otherAddress} that does not match pubkey address ${derived}`,
      )
    }
  }
}
