import type { Held } from '@org/runtime'
import type { PoolOptions } from './options.ts'
import type { PooledBlock } from './pooled-block.ts'

/**
 * The number of blocks that the window keeps even if they are larger than the free memory: the next block, and its
 * successor, without which the next block cannot be applied.
 */
const ALWAYS_KEPT = 2

/** A height of the window: its block, or the requests for it. */
export interface WindowHeight {
  received: PooledBlock | undefined
  /** The peers with a pending request for this height. */
  readonly requestedFrom: Set<string>
  /**
   * For each peer that does not have this block: the time until which the node does not request the block from this
   * peer again.
   */
  readonly declined: Map<string, number>
  requestedAt: number
  /** The memory of the block in bytes, if the block was received and dropped for lack of room; otherwise 0. */
  droppedBytes: number
}

/**
 * The heights from the next block to apply up to the greatest requested height, without a gap, and the blocks of these
 * heights.
 */
export interface BlockWindow {
  /** The height of the next block to apply. */
  readonly height: () => number
  readonly size: () => number
  /** The number of heights whose block is missing. */
  readonly missing: () => number
  readonly get: (at: number) => WindowHeight | undefined
  readonly entries: () => Iterable<readonly [number, WindowHeight]>
  /** The heights that must be requested, because no request for them is pending. */
  readonly open: () => Iterable<number>
  readonly hasOpen: () => boolean
  /** Adds the height after the last height of the window. */
  readonly add: (slot: WindowHeight) => void
  /** Records that a peer was asked for the block of this height. The height is then no longer open. */
  readonly close: (at: number) => void
  /**
   * Marks the height as open, so that its block is requested again. Has no effect if the block is present, or if a
   * request for it is pending.
   */
  readonly reopen: (at: number) => void
  /** Returns whether one more height may be requested. */
  readonly hasRoom: () => boolean
  /** Returns true if the window has room for the block of height `at`, which takes `heap` bytes of memory. */
  readonly mayKeep: (at: number, heap: number) => boolean
  /**
   * Records the memory of a received block. From these figures the window estimates the memory of the blocks that are
   * still missing.
   */
  readonly measure: (heap: number) => void
  readonly keep: (at: number, block: PooledBlock) => void
  /** Drops the blocks that this peer sent. */
  readonly dropFrom: (peerId: string) => void
  /** Removes the next height from the window and returns its block. */
  readonly pop: () => PooledBlock | undefined
  /** How many blocks in the window came from this peer, and how much memory they take. */
  readonly heldFor: (peerId: string) => Held
}

export function createBlockWindow(
  options: Pick<PoolOptions, 'firstPendingPerPeer' | 'maxBlocks' | 'maxBytes'>,
  startHeight: number,
): BlockWindow {
  const slots = new Map<number, WindowHeight>()
  const open = new Set<number>()
  let height = startHeight
  /** The number of received blocks that are not applied yet, and the memory that they take, in bytes. */
  let buffered = { count: 0, bytes: 0 }
  let averageHeap = 0

  function buffer({ heap }: PooledBlock, sign: 1 | -1): void {
    buffered = { count: buffered.count + sign, bytes: buffered.bytes + sign * heap }
  }

  function reopen(at: number): void {
    const slot = slots.get(at)
    if (slot !== undefined && slot.received === undefined && slot.requestedFrom.size === 0) open.add(at)
  }

  return {
    height: () => height,
    size: () => slots.size,
    missing: () => slots.size - buffered.count,
    get: (at) => slots.get(at),
    entries: () => slots,
    open: () => open,
    hasOpen: () => open.size > 0,
    add: (slot) => void slots.set(height + slots.size, slot),
    close: (at) => void open.delete(at),
    reopen,
    hasRoom: () => {
      const always = averageHeap === 0 ? options.firstPendingPerPeer : ALWAYS_KEPT
      if (slots.size < always) return true
      const expected = (slots.size - buffered.count + 1) * averageHeap
      return slots.size < options.maxBlocks && buffered.bytes + expected <= options.maxBytes
    },
    mayKeep: (at, heap) => at - height < ALWAYS_KEPT || buffered.bytes + heap <= options.maxBytes,
    measure: (heap) => {
      averageHeap = averageHeap === 0 ? heap : averageHeap * 0.95 + heap * 0.05
    },
    keep: (at, block) => {
      const slot = slots.get(at)
      if (slot === undefined) return
      slot.received = block
      buffer(block, 1)
      open.delete(at)
    },
    dropFrom: (peerId) => {
      for (const [at, slot] of slots) {
        if (slot.received?.from !== peerId) continue
        buffer(slot.received, -1)
        slot.received = undefined
        reopen(at)
      }
    },
    pop: () => {
      const received = slots.get(height)?.received
      if (received !== undefined) buffer(received, -1)
      slots.delete(height)
      open.delete(height)
      height++
      return received
    },
    heldFor: (peerId) => {
      let [items, bytes] = [0, 0]
      for (const { received } of slots.values()) {
        if (received?.from !== peerId) continue
        items++
        bytes += received.heap
      }
      return { items, bytes }
    },
  }
}
