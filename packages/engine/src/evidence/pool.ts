import type { Logger, Sizes } from '@org/runtime'
import { messageOf } from '@org/runtime'
import { compareBytes } from '@org/types/bytes'
import {
  duplicateVoteEvidence,
  Evidence,
  evidenceHeight,
  evidenceTime,
  formatEvidence,
  makeDuplicateVoteEvidence,
} from '@org/types/evidence'
import type { State } from '@org/types/state'
import type { Time } from '@org/types/time'
import type { Vote } from '@org/types/vote'
import { POOLED_SIGNATURES, type SignatureChecker } from '../signatures/index.ts'
import type { BlockStore, KeyValueStore, Op, StateStore } from '../store/index.ts'
import { EVIDENCE_ERRORS, EvidenceError } from './errors.ts'
import { isEvidenceExpired } from './expiry.ts'
import { CommittedHeight, committedKey, evidenceId, PENDING_RANGE, pendingKey } from './keys.ts'
import { verifyEvidence } from './verify.ts'

export interface EvidencePoolOptions {
  /** The most pairs of conflicting votes kept until their height is over; further ones are dropped. */
  readonly maxBufferedVotes: number
}

export const DEFAULT_EVIDENCE_OPTIONS: EvidencePoolOptions = { maxBufferedVotes: 10_000 }

export interface EvidencePoolModules {
  readonly db: KeyValueStore
  readonly stateStore: Pick<StateStore, 'loadSigners'>
  readonly blockStore: Pick<BlockStore, 'height' | 'loadBlockMeta' | 'loadBlockCommit'>
  /** The stored state. */
  readonly state: State
  /** Default: the thread pool. */
  readonly signatures?: Pick<SignatureChecker, 'verify' | 'findInvalid'>
  readonly logger: Logger
}

/** Stores evidence of misbehaviour until a block contains it, and remembers committed evidence. */
export interface EvidencePool {
  /** Pending evidence, oldest first, at most `maxBytes` together (-1 is no limit); `size` is its size in a block. */
  readonly pendingEvidence: (maxBytes: bigint) => { readonly evidence: readonly Evidence[]; readonly size: number }
  /** Adds valid evidence. Evidence that the pool has already is not an error. Rejects with an `EvidenceError`. */
  readonly addEvidence: (evidence: Evidence) => Promise<void>
  /** Rejects unless a block may contain the whole list. New evidence becomes pending. */
  readonly checkEvidence: (evidence: readonly Evidence[]) => Promise<void>
  /**
   * Called after a block: makes evidence of the reported votes, marks committed evidence, removes expired evidence.
   */
  readonly update: (state: State, committed: readonly Evidence[]) => Promise<void>
  /** Reports two verified, conflicting votes of one validator. They become evidence when their height is over. */
  readonly reportConflictingVotes: (voteA: Vote, voteB: Vote) => void
  readonly size: () => number
  readonly sizes: () => Sizes
  /** Evidence to send to peers, in order of arrival. */
  readonly gossip: () => readonly Evidence[]
  /** Calls `listener` for each new evidence. Returns a function that removes the listener. */
  readonly onEvidence: (listener: (evidence: Evidence) => void) => () => void
}

interface Pending {
  readonly evidence: Evidence
  readonly key: Uint8Array
  /** Bytes in a block's evidence list, with tag and length. */
  readonly size: number
}

interface Pruning {
  readonly height: number
  readonly time: Time
}

function sizeInBlock(encoded: number): number {
  let length = 1
  for (let rest = encoded; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++
  return 1 + length + encoded
}

const SECOND = 1_000_000_000n

/** Opens the pool. Evidence that was pending when the node stopped is pending again, unless it has expired. */
export async function createEvidencePool(
  options: EvidencePoolOptions,
  modules: EvidencePoolModules,
): Promise<EvidencePool> {
  const { db, stateStore, blockStore, signatures = POOLED_SIGNATURES, logger } = modules
  let { state } = modules
  /** Ordered by key, which means by height. */
  let pending: Pending[] = []
  const known = new Map<string, Pending>()
  const toGossip = new Map<string, Evidence>()
  const listeners = new Set<(evidence: Evidence) => void>()
  let reported: (readonly [Vote, Vote])[] = []

  const isPending = (evidence: Evidence): boolean => known.has(evidenceId(evidence))
  /** Keys whose marks are being written: a peer may send the same evidence again before the write ends. */
  const marking = new Set<string>()
  const isCommitted = (evidence: Evidence): boolean =>
    marking.has(evidenceId(evidence)) || db.has(committedKey(evidence))
  const verify = (evidence: Evidence): Promise<void> =>
    verifyEvidence(evidence, { state, stateStore, blockStore, signatures })

  function remember(evidence: Evidence, encoded: number): Pending {
    const entry = { evidence, key: pendingKey(evidence), size: sizeInBlock(encoded) }
    known.set(evidenceId(evidence), entry)
    pending.push(entry)
    pending.sort((a, b) => compareBytes(a.key, b.key))
    return entry
  }

  /** Adds evidence and returns the operation that stores it. */
  function addPending(evidence: Evidence): Op {
    const value = Evidence.encode(evidence)
    return { type: 'put', key: remember(evidence, value.length).key, value }
  }

  function removePending(evidence: Evidence): Op | undefined {
    const id = evidenceId(evidence)
    const entry = known.get(id)
    toGossip.delete(id)
    if (entry === undefined) return undefined
    known.delete(id)
    pending = pending.filter((other) => other !== entry)
    return { type: 'del', key: entry.key }
  }

  function announce(evidence: Evidence): void {
    toGossip.set(evidenceId(evidence), evidence)
    for (const listener of listeners) listener(evidence)
  }

  /** Removes expired evidence. Returns when the next check is due. */
  function removeExpired(ops: Op[]): Pruning {
    const { maxAgeNumBlocks, maxAgeDuration } = state.consensusParams.evidence
    for (const { evidence } of pending) {
      const [height, time] = [evidenceHeight(evidence), evidenceTime(evidence)]
      if (!isEvidenceExpired(state, { height, time })) {
        return { height: height + Number(maxAgeNumBlocks) + 1, time: time + maxAgeDuration + SECOND }
      }
      const op = removePending(evidence)
      if (op !== undefined) ops.push(op)
    }
    return { height: state.lastBlockHeight, time: state.lastBlockTime }
  }

  /** Makes evidence of two votes, with the chain's data for their height. */
  function fromVotes([voteA, voteB]: readonly [Vote, Vote], next: State): Evidence | undefined {
    const { height } = voteA
    if (height > next.lastBlockHeight) {
      logger.error('inbound duplicate votes from consensus are of a greater height than current state', {
        duplicate_vote_height: height,
        last_block_height: next.lastBlockHeight,
      })
      return undefined
    }
    try {
      if (height === next.lastBlockHeight) {
        const context = { blockTime: next.lastBlockTime, validators: next.lastValidators }
        return duplicateVoteEvidence(makeDuplicateVoteEvidence(voteA, voteB, context))
      }
      const meta = blockStore.loadBlockMeta(height)
      if (meta === undefined) {
        logger.error('failed to load block time for conflicting votes', { height })
        return undefined
      }
      const context = { blockTime: meta.header.time, validators: stateStore.loadSigners(height) }
      return duplicateVoteEvidence(makeDuplicateVoteEvidence(voteA, voteB, context))
    } catch (error) {
      logger.error('error in generating evidence from votes', { err: messageOf(error) })
      return undefined
    }
  }

  function takeReported(next: State, ops: Op[]): Evidence[] {
    const taken: Evidence[] = []
    const votes = reported
    reported = []
    for (const pair of votes) {
      const evidence = fromVotes(pair, next)
      if (evidence === undefined || isPending(evidence) || isCommitted(evidence)) continue
      ops.push(addPending(evidence))
      taken.push(evidence)
      logger.info('verified new evidence of byzantine behavior', { evidence: formatEvidence(evidence) })
    }
    return taken
  }

  async function open(): Promise<Pruning> {
    for await (const [key, value] of db.iterate(PENDING_RANGE)) {
      try {
        remember(Evidence.decode(value), value.length)
      } catch (cause) {
        throw new EvidenceError(EVIDENCE_ERRORS.stored, `stored evidence cannot be decoded: ${messageOf(cause)}`, {
          cause,
          data: { key: new TextDecoder().decode(key) },
        })
      }
    }
    const ops: Op[] = []
    const next = removeExpired(ops)
    if (ops.length > 0) await db.write(ops)
    for (const { evidence } of pending) toGossip.set(evidenceId(evidence), evidence)
    return next
  }

  let pruning = await open()

  return {
    pendingEvidence: (maxBytes) => {
      const evidence: Evidence[] = []
      let size = 0
      for (const entry of pending) {
        if (maxBytes !== -1n && BigInt(size + entry.size) > maxBytes) break
        size += entry.size
        evidence.push(entry.evidence)
      }
      return { evidence, size }
    },
    addEvidence: async (evidence) => {
      if (isPending(evidence) || isCommitted(evidence)) {
        logger.info('Evidence already known, ignoring this one', { ev: formatEvidence(evidence) })
        return
      }
      try {
        await verify(evidence)
      } catch (cause) {
        const message = `Invalid evidence: ${messageOf(cause)}. Evidence: ${formatEvidence(evidence)}`
        throw new EvidenceError(EVIDENCE_ERRORS.invalid, message, { cause })
      }
      // Another call, or a block, may have added the same evidence during this verification.
      if (isPending(evidence) || isCommitted(evidence)) return
      const op = addPending(evidence)
      announce(evidence)
      await db.write([op])
      logger.info('Verified new evidence of byzantine behavior', { evidence: formatEvidence(evidence) })
    },
    checkEvidence: async (list) => {
      const seen = new Set<string>()
      for (const evidence of list) {
        const describe = (reason: string): string =>
          `Invalid evidence: ${reason}. Evidence: ${formatEvidence(evidence)}`
        if (isCommitted(evidence)) {
          throw new EvidenceError(EVIDENCE_ERRORS.committed, describe('evidence was already committed'))
        }
        // Light-client attacks are verified again: other contents can have the same hash.
        if (evidence.sum?.case === 'lightClientAttackEvidence' || !isPending(evidence)) {
          await verify(evidence)
          if (!isPending(evidence)) await db.write([addPending(evidence)])
          logger.info('Check evidence: verified evidence of byzantine behavior', { evidence: formatEvidence(evidence) })
        }
        if (seen.has(evidenceId(evidence))) {
          throw new EvidenceError(EVIDENCE_ERRORS.duplicate, describe('duplicate evidence'))
        }
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
      const taken = takeReported(next, ops)
      state = next
      for (const evidence of committed) {
        const op = removePending(evidence)
        if (op !== undefined) ops.push(op)
        marking.add(evidenceId(evidence))
        ops.push({
          type: 'put',
          key: committedKey(evidence),
          value: CommittedHeight.encode({ value: evidenceHeight(evidence) }),
        })
      }
      if (pending.length > 0 && state.lastBlockHeight > pruning.height && state.lastBlockTime > pruning.time) {
        pruning = removeExpired(ops)
      }
      for (const evidence of taken) if (isPending(evidence)) announce(evidence)
      // Evidence is rare, and a forgotten "committed" would make us propose it again: one forced write.
      if (ops.length > 0) await db.write(ops, { sync: true })
      marking.clear()
    },
    reportConflictingVotes: (voteA, voteB) => {
      if (reported.length < options.maxBufferedVotes) reported.push([voteA, voteB])
      else logger.warn('Dropped conflicting votes, because too many are pending', { height: voteA.height })
    },
    size: () => pending.length,
    sizes: () => ({
      pending: pending.length,
      toGossip: toGossip.size,
      marking: marking.size,
      reported: reported.length,
    }),
    gossip: () => [...toGossip.values()],
    onEvidence: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
