import type { Logger, Sizes } from '@org/runtime'
import { isCodedError, messageOf } from '@org/runtime'
import { Evidence, evidenceHeight, evidenceTime, formatEvidence, type State, type Vote } from '@org/types'
import { compactCopy } from '@org/types/schema'
import { POOLED_SIGNATURES, type SignatureChecker } from '../signatures/index.ts'
import type { BlockStore, KeyValueStore, Op, StateStore } from '../store/index.ts'
import { EVIDENCE_ERRORS, EvidenceError } from './errors.ts'
import { isEvidenceExpired } from './expiry.ts'
import { CommittedHeight, committedKey, evidenceId, PENDING_RANGE } from './keys.ts'
import { createPendingEvidence, type PendingLimits } from './pending-evidence.ts'
import { createReportedVotes } from './reported-votes.ts'
import { verifyEvidence } from './verify.ts'
import { fittedEvidence } from './vote-extensions.ts'

export interface EvidencePoolOptions extends PendingLimits {
  /**
   * The maximum number of pairs of conflicting votes that wait until their height is decided. A pair waits because its
   * evidence must contain the time of the block at this height. Further pairs are dropped.
   */
  readonly maxBufferedVotes: number
}

export const DEFAULT_EVIDENCE_OPTIONS: EvidencePoolOptions = {
  maxBufferedVotes: 10_000,
  maxPendingPerValidator: 100,
  maxPendingBytes: 32 << 20,
}

export interface EvidencePoolModules {
  readonly db: KeyValueStore
  readonly stateStore: Pick<StateStore, 'loadSigners'>
  readonly blockStore: Pick<BlockStore, 'height' | 'loadBlockMeta' | 'loadBlockCommit' | 'backfilled'>
  /** The state of the chain when the pool is opened. */
  readonly state: State
  /**
   * Verifies the signatures in evidence. Default: libsodium on this thread, or the thread pool if libsodium is missing.
   */
  readonly signatures?: Pick<SignatureChecker, 'verify' | 'findInvalid'>
  /** Returns true if the header of this height is missing, but is being fetched. Default: no header is fetched. */
  readonly isAwaited?: (height: number) => boolean
  readonly logger: Logger
}

/** Stores evidence of misbehaviour until a block contains it, and remembers committed evidence. */
export interface EvidencePool {
  /**
   * Returns the oldest pending evidence that together takes at most `maxBytes` in a block (-1 means no limit). `size`
   * is the number of bytes that the returned evidence takes. Leaves out evidence about the heights up to the snapshot
   * with which this home began. This node does not have the blocks of these heights. One of them may contain the
   * evidence already, and the nodes that have this block would refuse a second block with the same evidence.
   */
  readonly pendingEvidence: (maxBytes: bigint) => { readonly evidence: readonly Evidence[]; readonly size: number }
  /**
   * Verifies evidence and adds it to the pool. Does nothing if the pool has the evidence already. If the extensions
   * make two conflicting votes too large for every block, adds the votes without the extensions. Rejects with an
   * `EvidenceError` if the evidence is invalid, or if a limit (`PendingLimits`) allows no further evidence.
   */
  readonly addEvidence: (evidence: Evidence) => Promise<void>
  /**
   * Verifies the evidence list of a block. Rejects if some evidence in the list is invalid, was committed before, or is
   * twice in the list. Valid evidence that is new for the pool becomes pending. `isAgreed` is true if validators with
   * more than two thirds of the power have voted for the block. The evidence may then be too old: nodes of the
   * reference accept evidence that became too old while it was pending, and the chain continues with the block that
   * contains it.
   */
  readonly checkEvidence: (evidence: readonly Evidence[], block?: { readonly isAgreed: boolean }) => Promise<void>
  /**
   * Must be called after each block. Makes evidence from the reported votes, marks the evidence in the block as
   * committed, and removes expired evidence.
   */
  readonly update: (state: State, committed: readonly Evidence[]) => Promise<void>
  /** Reports two verified, conflicting votes of one validator. They become evidence when the votes' height is over. */
  readonly reportConflictingVotes: (voteA: Vote, voteB: Vote) => void
  readonly size: () => number
  readonly sizes: () => Sizes
  /**
   * The evidence to send to peers, in order of arrival. A loop over it also visits the evidence that becomes available
   * during the loop, and does not visit the evidence that is removed during the loop.
   */
  readonly gossip: () => Iterable<Evidence>
  /** Calls `listener` for all evidence that becomes available to peers after this call, until the signal aborts. */
  readonly onEvidence: (listener: (evidence: Evidence) => void, signal?: AbortSignal) => void
}

/** Returns the error for a block with evidence that was committed before, or that is twice in the block. */
function refused(code: 'committed' | 'duplicate', evidence: Evidence, reason: string): EvidenceError {
  return new EvidenceError(EVIDENCE_ERRORS[code], `Invalid evidence: ${reason}. Evidence: ${formatEvidence(evidence)}`)
}

/**
 * Opens the pool. Evidence that was pending when the node stopped is pending again, unless it has expired. The
 * function is long because it contains all operations of the pool, each with its own rules.
 */
export async function createEvidencePool(
  options: EvidencePoolOptions,
  modules: EvidencePoolModules,
): Promise<EvidencePool> {
  const { db, stateStore, blockStore, signatures = POOLED_SIGNATURES, logger } = modules
  let { state } = modules
  const pending = createPendingEvidence(options)
  const reported = createReportedVotes(options, { stateStore, blockStore, logger })
  const isPending = pending.has
  /**
   * The ids of the evidence in the newest block. They are in this set until the database has stored that the evidence
   * is committed. If a peer sends the same evidence again during this time, the function `isCommitted` finds the
   * evidence in this set.
   */
  const marking = new Set<string>()
  const isCommitted = (evidence: Evidence): boolean =>
    marking.has(evidenceId(evidence)) || db.has(committedKey(evidence))
  const isExpired = (evidence: Evidence): boolean =>
    isEvidenceExpired(state, { height: evidenceHeight(evidence), time: evidenceTime(evidence) })
  const context = { stateStore, blockStore, signatures, isAwaited: modules.isAwaited }
  const verify = (evidence: Evidence, mayBeExpired = false): Promise<void> =>
    verifyEvidence(evidence, { ...context, state, mayBeExpired })

  function takeReported(next: State, ops: Op[]): Evidence[] {
    const taken: Evidence[] = []
    let dropped = 0
    for (const evidence of reported.drain(next)) {
      if (isPending(evidence) || isCommitted(evidence)) continue
      if (!pending.hasRoomFor(evidence)) {
        dropped++
        continue
      }
      ops.push(pending.add(evidence))
      taken.push(evidence)
      logger.info('verified new evidence of byzantine behavior', { evidence: formatEvidence(evidence) })
    }
    if (dropped > 0) logger.warn('Dropped conflicting votes, because too much evidence is pending', { pairs: dropped })
    return taken
  }

  async function open(): Promise<void> {
    for await (const [key, value] of db.iterate(PENDING_RANGE)) {
      try {
        pending.restore(Evidence.decode(value), value.length)
      } catch (cause) {
        throw new EvidenceError(EVIDENCE_ERRORS.stored, `stored evidence cannot be decoded: ${messageOf(cause)}`, {
          cause,
          data: { key: new TextDecoder().decode(key) },
        })
      }
    }
    const ops: Op[] = []
    pending.removeExpired(state, ops)
    if (ops.length > 0) await db.write(ops)
    pending.shareAll()
  }

  await open()

  return {
    pendingEvidence: (maxBytes) => pending.oldest(maxBytes, blockStore.backfilled()?.snapshot ?? 0),
    addEvidence: async (given) => {
      const evidence = fittedEvidence(given, Number(state.consensusParams.evidence.maxBytes))
      if (isPending(evidence) || isCommitted(evidence)) {
        logger.info('Evidence already known, ignoring this one', { ev: formatEvidence(evidence) })
        return
      }
      // The limits are checked first: a peer may send refused evidence again and again, and `verify` takes long.
      if (!pending.hasRoomFor(evidence)) throw noRoom(evidence)
      try {
        await verify(evidence)
      } catch (cause) {
        const message = `Invalid evidence: ${messageOf(cause)}. Evidence: ${formatEvidence(evidence)}`
        const { invalid, noHeader } = EVIDENCE_ERRORS
        throw new EvidenceError(isCodedError(cause, noHeader) ? noHeader : invalid, message, { cause })
      }
      // The check is repeated, because another call, or a block, may have added the same evidence while `verify` was
      // running. A new block may also have made the evidence too old.
      if (isPending(evidence) || isCommitted(evidence) || isExpired(evidence)) return
      await db.write([pending.add(evidence)])
      // If a block contained the evidence while `db.write` was running, the evidence is no longer pending.
      if (isPending(evidence)) pending.share(evidence)
      logger.info('Verified new evidence of byzantine behavior', { evidence: formatEvidence(evidence) })
    },
    checkEvidence: async (list, { isAgreed } = { isAgreed: false }) => {
      const seen = new Set<string>()
      for (const evidence of list) {
        if (isCommitted(evidence)) throw refused('committed', evidence, 'evidence was already committed')
        // Evidence of an attack on light clients is verified even if pending evidence has the same hash: the hash does
        // not cover all contents.
        if (evidence.sum?.case === 'lightClientAttackEvidence' || !isPending(evidence)) {
          await verify(evidence, isAgreed)
          const isWanted = !isPending(evidence) && !isExpired(evidence)
          // A copy of the evidence does not keep the whole block in memory: the pool counts only the evidence.
          if (isWanted && pending.hasRoomFor(evidence)) await db.write([pending.add(compactCopy(Evidence, evidence))])
          logger.info('Check evidence: verified evidence of byzantine behavior', { evidence: formatEvidence(evidence) })
        }
        if (seen.has(evidenceId(evidence))) throw refused('duplicate', evidence, 'duplicate evidence')
        seen.add(evidenceId(evidence))
      }
    },
    update: async (next, committed) => {
      if (next.lastBlockHeight <= state.lastBlockHeight) {
        const heights = `${next.lastBlockHeight} <= ${state.lastBlockHeight}`
        throw new EvidenceError(
          EVIDENCE_ERRORS.height,
          `failed EvidencePool.Update new state height is less than or equal to previous state height: ${heights}`,
        )
      }
      const ops: Op[] = []
      state = next
      for (const evidence of committed) {
        const op = pending.remove(evidence)
        if (op !== undefined) ops.push(op)
        marking.add(evidenceId(evidence))
        ops.push({
          type: 'put',
          key: committedKey(evidence),
          value: CommittedHeight.encode({ value: evidenceHeight(evidence) }),
        })
      }
      // The block's evidence is no longer pending, so there is more room for evidence from the reported votes.
      const taken = takeReported(next, ops)
      // Pending evidence of two votes in a block is not verified again. So pending evidence must not be too old.
      pending.removeExpired(state, ops)
      // The marks of committed evidence are forced to disk. If a crash lost a mark, this node would propose the same
      // evidence again. Evidence is rare, so the cost is small.
      if (ops.length > 0) await db.write(ops, { sync: true })
      marking.clear()
      // Peers receive the evidence only after it is durable. This node may be the only node that has both conflicting
      // votes, and a crash would remove the votes from its memory.
      for (const evidence of taken) if (isPending(evidence)) pending.share(evidence)
    },
    reportConflictingVotes: reported.add,
    size: pending.size,
    sizes: () => ({
      pending: pending.size(),
      toGossip: pending.sharedSize(),
      marking: marking.size,
      reported: reported.size(),
    }),
    gossip: pending.shared,
    onEvidence: pending.onShared,
  }
}

function noRoom(evidence: Evidence): EvidenceError {
  return new EvidenceError(
    EVIDENCE_ERRORS.full,
    `There is no room for the evidence until blocks contain some of the pending evidence. Evidence: ${formatEvidence(evidence)}`,
    { data: { height: evidenceHeight(evidence) } },
  )
}
