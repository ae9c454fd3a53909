import type { Budget, Held } from '@org/runtime'
import type { Item } from './inbox.ts'

type PeerItem = Extract<Item, { kind: 'peer' }>

export interface ExactCheckQueueOptions {
  /** The maximum number of messages, of all peers together, that wait for exact checks. */
  readonly capacity: number
  /** The maximum number of bytes of the messages, of all peers together, that wait for exact checks. */
  readonly maxBytes: number
  /** When this signal aborts, all waiting messages are dropped, and no further message is kept. */
  readonly signal: AbortSignal
}

export interface ExactCheckQueueModules {
  readonly exactChecks: Pick<Budget, 'take'>
  readonly costOf: (item: PeerItem) => number
  /**
   * Puts a message back into the inbox. Called when the budget has granted the exact checks of the message's
   * signatures.
   */
  readonly resume: (item: PeerItem) => void
  /**
   * Called when the kept messages exceed `capacity` or `maxBytes`. The messages of the peer with the largest share of
   * the exceeded limit have been dropped; `item` is one of them. The caller must end the connection to this peer.
   */
  readonly onOverflow: (item: PeerItem) => void
}

/**
 * Keeps messages whose signatures need exact checks until the budget grants these checks. Peers take turns, one message
 * each.
 */
export interface ExactCheckQueue {
  readonly add: (item: PeerItem) => void
  /** Returns true if this message waited in this queue until the budget granted its exact checks. */
  readonly isGranted: (item: PeerItem) => boolean
  readonly has: (peerId: string) => boolean
  /**
   * Resolves with true when no message of the peer waits for exact checks. Resolves with false when the waiting
   * messages of the peer are dropped, or when `dropWaiting` is called for the peer.
   */
  readonly whenEmpty: (peerId: string) => Promise<boolean>
  /**
   * Makes all pending promises of `whenEmpty` for a peer resolve with false. The messages of the peer stay in this
   * queue.
   */
  readonly dropWaiting: (peerId: string) => void
  /** Drops the messages of a peer that wait for exact checks. */
  readonly drop: (peerId: string) => void
  readonly size: () => number
  /** Returns the number of messages of a peer that wait for exact checks, and their total size in bytes. */
  readonly heldFor: (peerId: string) => Held
}

interface Kept {
  readonly items: PeerItem[]
  readonly waiting: ((isEmpty: boolean) => void)[]
}

export function createExactCheckQueue(
  options: ExactCheckQueueOptions,
  { exactChecks, costOf, resume, onOverflow }: ExactCheckQueueModules,
): ExactCheckQueue {
  const { signal } = options
  /** The kept messages by peer. The peers are in the order of their turns. */
  const kept = new Map<string, Kept>()
  const granted = new WeakSet<PeerItem>()
  let count = 0
  let bytes = 0
  let isWaiting = false

  function forget(item: PeerItem): void {
    count--
    bytes -= item.size
  }

  function dequeue(): PeerItem | undefined {
    const next = kept.entries().next()
    if (next.done === true) return undefined
    const [peerId, entry] = next.value
    const item = entry.items.shift() as PeerItem
    forget(item)
    kept.delete(peerId)
    // A peer with further messages moves to the end of the map, so the next peer has its turn.
    if (entry.items.length > 0) kept.set(peerId, entry)
    else for (const resolve of entry.waiting) resolve(true)
    return item
  }

  async function serve(): Promise<void> {
    if (isWaiting) return
    isWaiting = true
    for (let first = peek(); first !== undefined && !signal.aborted; first = peek()) {
      await exactChecks.take(costOf(first))
      const item = dequeue()
      if (item === undefined || signal.aborted) break
      granted.add(item)
      resume(item)
    }
    isWaiting = false
  }

  const peek = (): PeerItem | undefined => kept.values().next().value?.items[0]

  function drop(peerId: string): void {
    const entry = kept.get(peerId)
    if (entry === undefined) return
    kept.delete(peerId)
    for (const item of entry.items) forget(item)
    for (const resolve of entry.waiting) resolve(false)
  }

  function dropLargest(): void {
    const share = ({ items }: Kept): number =>
      Math.max(items.length / options.capacity, items.reduce((sum, { size }) => sum + size, 0) / options.maxBytes)
    const [, { items }] = [...kept].reduce((largest, entry) => (share(entry[1]) > share(largest[1]) ? entry : largest))
    const first = items[0] as PeerItem
    drop(first.peerId)
    onOverflow(first)
  }

  signal.addEventListener(
    'abort',
    () => {
      for (const peerId of [...kept.keys()]) drop(peerId)
    },
    { once: true },
  )
  return {
    add: (item) => {
      if (signal.aborted) return
      const entry = kept.get(item.peerId) ?? { items: [], waiting: [] }
      entry.items.push(item)
      kept.set(item.peerId, entry)
      count++
      bytes += item.size
      if (count > options.capacity || bytes > options.maxBytes) dropLargest()
      void serve()
    },
    isGranted: (item) => granted.has(item),
    has: (peerId) => kept.has(peerId),
    whenEmpty: (peerId) => {
      const entry = kept.get(peerId)
      return entry === undefined ? Promise.resolve(true) : new Promise((resolve) => entry.waiting.push(resolve))
    },
    dropWaiting: (peerId) => {
      for (const resolve of kept.get(peerId)?.waiting.splice(0) ?? []) resolve(false)
    },
    drop,
    size: () => count,
    heldFor: (peerId) => {
      const items = kept.get(peerId)?.items ?? []
      return { items: items.length, bytes: items.reduce((sum, { size }) => sum + size, 0) }
    },
  }
}
