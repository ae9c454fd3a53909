import type { Budget } from '@org/runtime'
import type { Item } from './inbox.ts'

type PeerItem = Extract<Item, { kind: 'peer' }>

export interface LaterOptions {
  /** Messages of all peers that are kept. */
  readonly capacity: number
  /** Bytes of these messages. */
  readonly maxBytes: number
}

export interface LaterModules {
  readonly exactChecks: Pick<Budget, 'take'>
  readonly costOf: (item: PeerItem) => number
  /** Hands a message back: its exact checks are charged. */
  readonly resume: (item: PeerItem) => void
  /** There is no more room. This peer holds the most of it, and must go. */
  readonly onOverflow: (item: PeerItem) => void
}

/** Keeps messages whose signatures need exact checks until the budget for these allows them: of each peer one in turn. */
export interface Later {
  readonly keep: (item: PeerItem) => void
  /** True if the message was kept and handed back. */
  readonly isPaid: (item: PeerItem) => boolean
  readonly has: (peerId: string) => boolean
  /** Resolves when nothing of the peer is kept. */
  readonly without: (peerId: string) => Promise<void>
  /** Forgets the messages of a peer. */
  readonly drop: (peerId: string) => void
  readonly size: () => number
  readonly close: () => void
}

interface Kept {
  readonly items: PeerItem[]
  readonly waiting: (() => void)[]
}

export function createLater(options: LaterOptions, { exactChecks, costOf, resume, onOverflow }: LaterModules): Later {
  /** By peer, in the order of their turns. */
  const kept = new Map<string, Kept>()
  const paid = new WeakSet<PeerItem>()
  let count = 0
  let bytes = 0
  let isWaiting = false
  let isClosed = false

  function forget(item: PeerItem): void {
    count--
    bytes -= item.size
  }

  function take(): PeerItem | undefined {
    const next = kept.entries().next()
    if (next.done === true) return undefined
    const [peerId, entry] = next.value
    const item = entry.items.shift() as PeerItem
    forget(item)
    kept.delete(peerId)
    // The next peer has its turn.
    if (entry.items.length > 0) kept.set(peerId, entry)
    else for (const resolve of entry.waiting) resolve()
    return item
  }

  async function serve(): Promise<void> {
    if (isWaiting) return
    isWaiting = true
    for (let first = peek(); first !== undefined && !isClosed; first = peek()) {
      await exactChecks.take(costOf(first))
      const item = take()
      if (item === undefined || isClosed) break
      paid.add(item)
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
    for (const resolve of entry.waiting) resolve()
  }

  function dropLargest(): void {
    const share = ({ items }: Kept): number =>
      Math.max(items.length / options.capacity, items.reduce((sum, { size }) => sum + size, 0) / options.maxBytes)
    const [, { items }] = [...kept].reduce((most, one) => (share(one[1]) > share(most[1]) ? one : most))
    const first = items[0] as PeerItem
    drop(first.peerId)
    onOverflow(first)
  }

  return {
    keep: (item) => {
      if (isClosed) return
      const entry = kept.get(item.peerId) ?? { items: [], waiting: [] }
      entry.items.push(item)
      kept.set(item.peerId, entry)
      count++
      bytes += item.size
      if (count > options.capacity || bytes > options.maxBytes) dropLargest()
      void serve()
    },
    isPaid: (item) => paid.has(item),
    has: (peerId) => kept.has(peerId),
    without: (peerId) => {
      const entry = kept.get(peerId)
      return entry === undefined ? Promise.resolve() : new Promise((resolve) => entry.waiting.push(resolve))
    },
    drop,
    size: () => count,
    close: () => {
      isClosed = true
      for (const peerId of [...kept.keys()]) drop(peerId)
    },
  }
}
