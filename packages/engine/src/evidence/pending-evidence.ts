import { createListeners } from '@org/runtime'
import { Evidence, evidenceHeight, evidenceTime, type State } from '@org/types'
import { bytesToHex, compareBytes } from '@org/types/bytes'
import type { Op } from '../store/index.ts'
import { isEvidenceExpired } from './expiry.ts'
import { evidenceId, pendingKey } from './keys.ts'

interface Pending {
  readonly evidence: Evidence
  readonly key: Uint8Array
  /** The number of bytes that the evidence takes in the evidence list of a block, including its tag and its length. */
  readonly size: number
}

function sizeInBlock(encoded: number): number {
  let length = 1
  for (let rest = encoded; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++
  return 1 + length + encoded
}

/** The share of the bytes of all pending evidence that the evidence about one validator may take. */
const SHARE_OF_VALIDATOR = 1 / 8

/** The limits of the pending evidence. */
export interface PendingLimits {
  /**
   * The maximum number of pending pairs of votes of one validator. A validator can sign any number of conflicting
   * votes, but one pair proves its fault. If no pair of the validator is pending at a height, the maximum for a new
   * pair at this height is twice this number. So a validator that reaches the maximum with pairs of one height cannot
   * keep out the evidence of a double sign at another height.
   */
  readonly maxPendingPerValidator: number
  /**
   * The maximum number of bytes of all pending evidence together. New evidence is refused if this maximum is reached.
   * So the evidence that was added last may exceed the maximum. The evidence about one validator takes at most
   * {@link SHARE_OF_VALIDATOR} of these bytes: anyone can add a long extension to the votes of a pair, because their
   * signatures do not cover it.
   */
  readonly maxPendingBytes: number
}

/**
 * Returns the keys under which a pair of votes is counted: the address of its validator, and this address with the
 * height of the votes. Returns `undefined` for other evidence.
 */
function countKeysOf({ sum }: Evidence): readonly [string, string] | undefined {
  if (sum?.case !== 'duplicateVoteEvidence' || sum.value.voteA === undefined) return undefined
  const { validatorAddress, height } = sum.value.voteA
  const address = bytesToHex(validatorAddress)
  return [address, `${address}/${height}`]
}

/**
 * The evidence that no block contains yet, ordered by height. New evidence is not available to peers until `share` or
 * `shareAll` is called.
 */
export interface PendingEvidence {
  readonly has: (evidence: Evidence) => boolean
  readonly size: () => number
  /** Returns true if the limits allow that this evidence is added. */
  readonly hasRoomFor: (evidence: Evidence) => boolean
  /** Adds evidence from the store; `encoded` is the length of its encoding in bytes. */
  readonly restore: (evidence: Evidence, encoded: number) => void
  /** Adds evidence and returns the operation that stores it. */
  readonly add: (evidence: Evidence) => Op
  /** Removes evidence from memory. If it was pending, also returns the operation that deletes it from the database. */
  readonly remove: (evidence: Evidence) => Op | undefined
  /** Removes expired evidence from memory. Adds to `ops` the operations that delete it from the database. */
  readonly removeExpired: (state: State, ops: Op[]) => void
  /**
   * Returns evidence of heights above `above`, the oldest first, until the next evidence would exceed `maxBytes` bytes
   * in a block (-1 means no limit). Leaves out evidence that alone exceeds `maxBytes`. `size` is the number of bytes
   * that the returned evidence takes.
   */
  readonly oldest: (
    maxBytes: bigint,
    above: number,
  ) => { readonly evidence: readonly Evidence[]; readonly size: number }
  /** Makes all pending evidence available to peers, but does not call the listeners. */
  readonly shareAll: () => void
  /** Makes evidence available to peers, and calls the listeners. */
  readonly share: (evidence: Evidence) => void
  /**
   * The evidence that is available to peers, in order of arrival. A loop over it also visits the evidence that becomes
   * available to peers during the loop, and does not visit the evidence that is removed during the loop.
   */
  readonly shared: () => Iterable<Evidence>
  readonly sharedSize: () => number
  /** Calls `listener` for all evidence that is shared after this call, until the signal aborts. */
  readonly onShared: (listener: (evidence: Evidence) => void, signal?: AbortSignal) => void
}

/** Counts the pending evidence, and compares the counts with the limits. */
function createRoom(limits: PendingLimits) {
  let bytes = 0
  /** The number of pending pairs of conflicting votes of each validator, and of each validator at each height. */
  const counts = new Map<string, number>()
  /** For each validator: the total size, in bytes, of its pending pairs of conflicting votes. */
  const signerBytes = new Map<string, number>()

  function change(map: Map<string, number>, key: string, by: number): void {
    const next = (map.get(key) ?? 0) + by
    if (next === 0) map.delete(key)
    else map.set(key, next)
  }

  const countOf = (key: string): number => counts.get(key) ?? 0
  return {
    /** Counts evidence that is added (1) or removed (-1). */
    count: ({ evidence, size }: Pending, sign: 1 | -1): void => {
      bytes += sign * size
      const keys = countKeysOf(evidence)
      if (keys === undefined) return
      for (const key of keys) change(counts, key, sign)
      change(signerBytes, keys[0], sign * size)
    },
    isLeftFor: (evidence: Evidence): boolean => {
      if (bytes >= limits.maxPendingBytes) return false
      const keys = countKeysOf(evidence)
      if (keys === undefined) return true
      const [signer, signerAtHeight] = keys
      if ((signerBytes.get(signer) ?? 0) >= limits.maxPendingBytes * SHARE_OF_VALIDATOR) return false
      const room = limits.maxPendingPerValidator * (countOf(signerAtHeight) === 0 ? 2 : 1)
      return countOf(signer) < room
    },
  }
}

export function createPendingEvidence(limits: PendingLimits): PendingEvidence {
  /** The pending evidence, ordered by key and so by height. */
  let pending: Pending[] = []
  const known = new Map<string, Pending>()
  const room = createRoom(limits)
  const toGossip = new Map<string, Evidence>()
  const listeners = createListeners<Evidence>()

  /** Returns the index of the first pending evidence whose key is not below this key. */
  function indexOfKey(key: Uint8Array): number {
    let [from, to] = [0, pending.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (compareBytes((pending[middle] as Pending).key, key) < 0) from = middle + 1
      else to = middle
    }
    return from
  }

  function insert(evidence: Evidence, encoded: number): Pending {
    const entry = { evidence, key: pendingKey(evidence), size: sizeInBlock(encoded) }
    known.set(evidenceId(evidence), entry)
    pending.splice(indexOfKey(entry.key), 0, entry)
    room.count(entry, 1)
    return entry
  }

  /** Removes evidence from memory, except from the ordered list `pending`. */
  function forget(evidence: Evidence): Pending | undefined {
    const id = evidenceId(evidence)
    const entry = known.get(id)
    toGossip.delete(id)
    if (entry === undefined) return undefined
    known.delete(id)
    room.count(entry, -1)
    return entry
  }

  function remove(evidence: Evidence): Op | undefined {
    const entry = forget(evidence)
    if (entry === undefined) return undefined
    pending.splice(indexOfKey(entry.key), 1)
    return { type: 'del', key: entry.key }
  }

  return {
    has: (evidence) => known.has(evidenceId(evidence)),
    size: () => pending.length,
    hasRoomFor: room.isLeftFor,
    restore: (evidence, encoded) => void insert(evidence, encoded),
    add: (evidence) => {
      const value = Evidence.encode(evidence)
      return { type: 'put', key: insert(evidence, value.length).key, value }
    },
    remove,
    removeExpired: (state, ops) => {
      const isValid = ({ evidence }: Pending): boolean =>
        !isEvidenceExpired(state, { height: evidenceHeight(evidence), time: evidenceTime(evidence) })
      const first = pending.findIndex(isValid)
      const expired = pending.slice(0, first === -1 ? pending.length : first)
      pending = pending.slice(expired.length)
      for (const { evidence, key } of expired) {
        forget(evidence)
        ops.push({ type: 'del', key })
      }
    },
    oldest: (maxBytes, above) => {
      const limit = maxBytes === -1n ? Number.POSITIVE_INFINITY : Number(maxBytes)
      const evidence: Evidence[] = []
      let size = 0
      for (const entry of pending) {
        // No block can contain this evidence. The evidence after it must not wait until this evidence has expired.
        if (entry.size > limit || evidenceHeight(entry.evidence) <= above) continue
        if (size + entry.size > limit) break
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
    shared: () => toGossip.values(),
    sharedSize: () => toGossip.size,
    onShared: listeners.add,
  }
}
