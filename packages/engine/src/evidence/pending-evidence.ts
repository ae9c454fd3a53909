import { createListeners } from '@org/runtime'
import { Evidence, evidenceHeight, evidenceTime, type State } from '@org/types'
import { compareBytes } from '@org/types/bytes'
import type { Time } from '@org/types/time'
import type { Op } from '../store/index.ts'
import { isEvidenceExpired } from './expiry.ts'
import { evidenceId, pendingKey } from './keys.ts'

interface Pending {
  readonly evidence: Evidence
  readonly key: Uint8Array
  /** The number of bytes that the evidence takes in the evidence list of a block, including its tag and its length. */
  readonly size: number
}

/** No pending evidence can expire before the chain has passed this height and this time. */
export interface Pruning {
  readonly height: number
  readonly time: Time
}

function sizeInBlock(encoded: number): number {
  let length = 1
  for (let rest = encoded; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++
  return 1 + length + encoded
}

const SECOND = 1_000_000_000n

/**
 * The evidence that no block contains yet, ordered by height. New evidence is not available to peers until `share` or
 * `shareAll` is called.
 */
export interface PendingEvidence {
  readonly has: (evidence: Evidence) => boolean
  readonly size: () => number
  /** Adds evidence from the store; `encoded` is the length of its encoding in bytes. */
  readonly restore: (evidence: Evidence, encoded: number) => void
  /** Adds evidence and returns the operation that stores it. */
  readonly add: (evidence: Evidence) => Op
  /** Removes evidence from memory. If it was pending, also returns the operation that deletes it from the database. */
  readonly remove: (evidence: Evidence) => Op | undefined
  /**
   * Removes expired evidence, and adds the operations that delete it to `ops`. Returns the height and time which the
   * chain must pass before another call can find expired evidence.
   */
  readonly removeExpired: (state: State, ops: Op[]) => Pruning
  /**
   * Returns the oldest evidence that together takes at most `maxBytes` in a block (-1 means no limit). `size` is the
   * number of bytes that the returned evidence takes.
   */
  readonly oldest: (maxBytes: bigint) => { readonly evidence: readonly Evidence[]; readonly size: number }
  /** Makes all pending evidence available to peers, but does not call the listeners. */
  readonly shareAll: () => void
  /** Makes evidence available to peers, and calls the listeners. */
  readonly share: (evidence: Evidence) => void
  /** The evidence that is available to peers, in order of arrival. */
  readonly shared: () => readonly Evidence[]
  /** Calls `listener` for all evidence that is shared after this call, until the signal aborts. */
  readonly onShared: (listener: (evidence: Evidence) => void, signal?: AbortSignal) => void
}

export function createPendingEvidence(): PendingEvidence {
  /** The pending evidence, ordered by key and so by height. */
  let pending: Pending[] = []
  const known = new Map<string, Pending>()
  const toGossip = new Map<string, Evidence>()
  const listeners = createListeners<Evidence>()

  function insert(evidence: Evidence, encoded: number): Pending {
    const entry = { evidence, key: pendingKey(evidence), size: sizeInBlock(encoded) }
    known.set(evidenceId(evidence), entry)
    pending.push(entry)
    pending.sort((a, b) => compareBytes(a.key, b.key))
    return entry
  }

  function remove(evidence: Evidence): Op | undefined {
    const id = evidenceId(evidence)
    const entry = known.get(id)
    toGossip.delete(id)
    if (entry === undefined) return undefined
    known.delete(id)
    pending = pending.filter((other) => other !== entry)
    return { type: 'del', key: entry.key }
  }

  return {
    has: (evidence) => known.has(evidenceId(evidence)),
    size: () => pending.length,
    restore: (evidence, encoded) => void insert(evidence, encoded),
    add: (evidence) => {
      const value = Evidence.encode(evidence)
      return { type: 'put', key: insert(evidence, value.length).key, value }
    },
    remove,
    removeExpired: (state, ops) => {
      const { maxAgeNumBlocks, maxAgeDuration } = state.consensusParams.evidence
      for (const { evidence } of pending) {
        const [height, time] = [evidenceHeight(evidence), evidenceTime(evidence)]
        if (!isEvidenceExpired(state, { height, time })) {
          return { height: height + Number(maxAgeNumBlocks) + 1, time: time + maxAgeDuration + SECOND }
        }
        const op = remove(evidence)
        if (op !== undefined) ops.push(op)
      }
      return { height: state.lastBlockHeight, time: state.lastBlockTime }
    },
    oldest: (maxBytes) => {
      const evidence: Evidence[] = []
      let size = 0
      for (const entry of pending) {
        if (maxBytes !== -1n && BigInt(size + entry.size) > maxBytes) break
        size += entry.size
        evidence.push(entry.evidence)
      }
      return { evidence, size }
    },
    shareAll: () => {
      for (const { evidence } of pending) toGossip.set(evidenceId(evidence), evidence)
    },
    share: (evidence) => {
      toGossip.set(evidenceId(evidence), evidence)
      listeners.call(evidence)
    },
    shared: () => [...toGossip.values()],
    onShared: listeners.add,
  }
}
