import type { Held } from '@org/runtime'
import type { BlockId, SignedMsgType } from '@org/types'
import type { ConsensusMessage, Timeout } from '../machine/index.ts'
import type { Ahead } from './verify-ahead.ts'

export interface PeerMessage {
  readonly peerId: string
  readonly message: ConsensusMessage
  /** The approximate size of the message in memory, in bytes. */
  readonly size: number
  /**
   * The signature checks that began before the machine needs them. Resolves with the results, or with `undefined` if
   * the verifier failed. The member `ready` itself is `undefined` if no checks began.
   */
  readonly ready?: Promise<Ahead | undefined> | undefined
}

export interface PeerMaj23 {
  readonly peerId: string
  readonly height: number
  readonly round: number
  readonly voteType: SignedMsgType
  readonly blockId: BlockId
}

export type Item =
  | { readonly kind: 'own'; readonly message: ConsensusMessage }
  | { readonly kind: 'timeout'; readonly timeout: Timeout }
  | { readonly kind: 'txsAvailable' }
  | { readonly kind: 'peerMaj23'; readonly claim: PeerMaj23 }
  | ({ readonly kind: 'peer' } & PeerMessage)

type PeerItem = Extract<Item, { kind: 'peer' | 'peerMaj23' }>

const senderOf = (item: PeerItem): string => (item.kind === 'peer' ? item.peerId : item.claim.peerId)
const sizeOf = (item: PeerItem): number => (item.kind === 'peer' ? item.size : 0)

/**
 * The maximum number of local inputs (own messages, timeouts, notices of transactions) that are taken in a row while an
 * input of a peer waits. If the only validator of a chain commits blocks without a pause, it always has local inputs.
 * Without this limit it would never process an input of a peer.
 */
const MAX_LOCAL_IN_A_ROW = 16

/**
 * The queue of the machine's inputs. Their order is: own messages, the timeout, the notice of transactions, the inputs
 * of peers. Inputs of one kind are in the order of arrival. After `MAX_LOCAL_IN_A_ROW` local inputs, one waiting input
 * of a peer is taken. At most one timeout and one notice wait: a new timeout replaces the waiting timeout. Only `drop`
 * removes messages from the queue. The clock has no influence on the order.
 */
export interface Inbox {
  readonly enqueueOwn: (message: ConsensusMessage) => void
  readonly timeout: (timeout: Timeout) => void
  readonly txsAvailable: () => void
  /** Queues a peer's input. Resolves when the input is in the queue: at once, or after a wait if the queue is full. */
  readonly peer: (item: PeerItem) => Promise<void>
  /**
   * Queues a message again, after the budget has granted the exact checks of its signatures. The message is queued even
   * if the queue is full.
   */
  readonly requeue: (item: Extract<Item, { kind: 'peer' }>) => void
  /** Drops a peer's messages that were not processed yet. */
  readonly drop: (peerId: string) => void
  /** Drops the inputs of a peer that wait for room in the queue. The inputs in the queue stay. */
  readonly dropWaiting: (peerId: string) => void
  readonly next: () => Item | undefined
  /** Resolves when the queue is not empty, or has closed. */
  readonly whenNotEmpty: () => Promise<void>
  readonly size: () => number
  /** Returns the number of bytes of the peers' messages that wait. */
  readonly byteSize: () => number
  /** Returns the number of a peer's inputs that wait, and their total size in bytes. */
  readonly heldFor: (peerId: string) => Held
  /** The number of local inputs in a row that were taken while an input of a peer waited. */
  readonly localInARow: () => number
}

/** A queue of the inputs of peers, which also counts their bytes. */
function createPeerItems() {
  let items: PeerItem[] = []
  /** The index of the first input in `items` that still waits. */
  let head = 0
  let bytes = 0
  const size = (): number => items.length - head
  return {
    size,
    bytes: () => bytes,
    push: (item: PeerItem): void => {
      items.push(item)
      bytes += sizeOf(item)
    },
    shift: (): PeerItem | undefined => {
      const item = items[head]
      if (item === undefined) return undefined
      head++
      bytes -= sizeOf(item)
      if (head === items.length || head > 1024) {
        items = items.slice(head)
        head = 0
      }
      return item
    },
    /** Drops the inputs of a peer, and returns their number. */
    drop: (peerId: string): number => {
      const remaining = items.slice(head).filter((item) => senderOf(item) !== peerId)
      const freed = size() - remaining.length
      items = remaining
      head = 0
      bytes = remaining.reduce((sum, item) => sum + sizeOf(item), 0)
      return freed
    },
    heldFor: (peerId: string): Held => {
      const held = items.slice(head).filter((item) => senderOf(item) === peerId)
      return { items: held.length, bytes: held.reduce((sum, item) => sum + sizeOf(item), 0) }
    },
  }
}

/** The inputs of peers that wait for room in the queue, in the order of arrival. */
function createRoomWaiters() {
  const waiting: { readonly peerId: string; readonly resolve: (isWanted: boolean) => void }[] = []
  return {
    /** Resolves with true when there may be room. Resolves with false if the input is dropped. */
    wait: (peerId: string): Promise<boolean> => new Promise((resolve) => waiting.push({ peerId, resolve })),
    /** Wakes the first waiting inputs. */
    wake: (count: number): void => {
      for (const { resolve } of waiting.splice(0, count)) resolve(true)
    },
    drop: (peerId: string): void => {
      for (let at = waiting.length - 1; at >= 0; at--) {
        if (waiting[at]?.peerId === peerId) waiting.splice(at, 1)[0]?.resolve(false)
      }
    },
    dropAll: (): void => {
      for (const { resolve } of waiting.splice(0)) resolve(false)
    },
  }
}

export interface InboxOptions {
  readonly capacity: number
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/**
 * Creates a queue with room for `capacity` inputs of peers. Their messages have at most about `maxBytes` bytes
 * together: the message that was accepted last may exceed this limit. When the signal aborts, the queue closes: it
 * accepts no further input of peers.
 */
export function createInbox({ capacity, maxBytes, signal }: InboxOptions): Inbox {
  const ownMessages: ConsensusMessage[] = []
  let timeout: Timeout | undefined
  let txs = false
  const peers = createPeerItems()
  /** The number of local inputs in a row that were taken while an input of a peer waited. */
  let localInARow = 0
  const waiters = createRoomWaiters()
  let wake: (() => void) | undefined
  const { size } = peers
  const isFull = (): boolean => size() >= capacity || peers.bytes() >= maxBytes
  const hasAny = (): boolean => ownMessages.length > 0 || timeout !== undefined || txs || size() > 0

  function notify(): void {
    wake?.()
    wake = undefined
  }

  function nextLocal(): Item | undefined {
    const message = ownMessages.shift()
    if (message !== undefined) return { kind: 'own', message }
    if (timeout !== undefined) {
      const due = timeout
      timeout = undefined
      return { kind: 'timeout', timeout: due }
    }
    if (!txs) return undefined
    txs = false
    return { kind: 'txsAvailable' }
  }

  function nextOfPeers(): Item | undefined {
    localInARow = 0
    const item = peers.shift()
    if (item === undefined) return undefined
    waiters.wake(1)
    return item
  }

  signal.addEventListener(
    'abort',
    () => {
      notify()
      waiters.dropAll()
    },
    { once: true },
  )
  return {
    drop: (peerId) => waiters.wake(peers.drop(peerId)),
    dropWaiting: waiters.drop,
    enqueueOwn: (message) => {
      ownMessages.push(message)
      notify()
    },
    timeout: (next) => {
      timeout = next
      notify()
    },
    txsAvailable: () => {
      txs = true
      notify()
    },
    peer: async (item) => {
      while (!signal.aborted && isFull()) if (!(await waiters.wait(senderOf(item)))) return
      if (signal.aborted) return
      peers.push(item)
      notify()
    },
    requeue: (item) => {
      if (signal.aborted) return
      peers.push(item)
      notify()
    },
    next: () => {
      const isPeersTurn = size() > 0 && localInARow >= MAX_LOCAL_IN_A_ROW
      const local = isPeersTurn ? undefined : nextLocal()
      if (local === undefined) return nextOfPeers()
      localInARow = size() > 0 ? localInARow + 1 : 0
      return local
    },
    whenNotEmpty: () => {
      if (signal.aborted || hasAny()) return Promise.resolve()
      return new Promise((resolve) => {
        wake = resolve
      })
    },
    size,
    byteSize: peers.bytes,
    heldFor: peers.heldFor,
    localInARow: () => localInARow,
  }
}
