import type { Senders } from './sender-sets.ts'
import type { TxKey } from './tx-key.ts'

/** A transaction that the application accepted. */
export interface MempoolEntry {
  readonly key: TxKey
  readonly tx: Uint8Array
  /** The height of the last block when the transaction was added. */
  readonly height: number
  /** The time when the transaction was added, in milliseconds of the monotonic clock. */
  readonly takenAt: number
  readonly gasWanted: bigint
  /** The numbers of the peers that sent the transaction. The number 0 means a client of the RPC. */
  senders: Senders
}

/**
 * A position in the list that moves from the oldest entry to the newest. At the end of the list, the cursor waits for
 * further entries. If the entry at its position is removed, the cursor can still move to the next entry.
 */
export interface EntryCursor {
  /** Moves to the next entry and returns it. Returns `undefined` if the cursor is at the end of the list. */
  readonly next: () => MempoolEntry | undefined
  /** Returns true if the entry that `next` returned last is still in the list. */
  readonly isListed: () => boolean
}

export interface EntryList {
  readonly append: (entry: MempoolEntry) => void
  readonly get: (key: TxKey) => MempoolEntry | undefined
  /** Removes the entry with this key and returns it. */
  readonly remove: (key: TxKey) => MempoolEntry | undefined
  readonly clear: () => void
  readonly size: () => number
  readonly cursor: () => EntryCursor
  /** Yields the entries, the oldest first. */
  readonly [Symbol.iterator]: () => Iterator<MempoolEntry>
}

interface Node {
  readonly entry: MempoolEntry
  readonly order: number
  removed: boolean
  previous: Node | undefined
  next: Node | undefined
}

/** A queue (first in, first out) from which an entry can be removed by its key in constant time. */
export function createEntryList(): EntryList {
  const nodes = new Map<TxKey, Node>()
  let head: Node | undefined
  let tail: Node | undefined
  let order = 0

  function unlink(node: Node): void {
    if (node.previous === undefined) head = node.next
    else node.previous.next = node.next
    if (node.next === undefined) tail = node.previous
    else node.next.previous = node.previous
    // The link `next` of the removed node is kept, so that a cursor at this node can move on. The link `previous` is
    // cleared, so that the memory of nodes that were removed earlier can be freed.
    node.previous = undefined
    node.removed = true
  }

  function after(node: Node | undefined, seen: number): Node | undefined {
    let candidate = node?.next
    while (candidate?.removed === true) candidate = candidate.next
    if (candidate !== undefined || node?.removed !== true) return candidate
    // The list node at the cursor's position was removed. All list nodes that can be reached from it by `next` links
    // were removed too. So the search for newer entries begins at the head of the list.
    candidate = head
    while (candidate !== undefined && candidate.order <= seen) candidate = candidate.next
    return candidate
  }

  function cursor(): EntryCursor {
    let last: Node | undefined
    let seen = -1
    return {
      next: () => {
        const node = seen === -1 ? head : after(last, seen)
        if (node !== undefined) {
          last = node
          seen = node.order
        }
        return node?.entry
      },
      isListed: () => last?.removed === false,
    }
  }

  return {
    append: (entry) => {
      const node: Node = { entry, order: order++, removed: false, previous: tail, next: undefined }
      if (tail === undefined) head = node
      else tail.next = node
      tail = node
      nodes.set(entry.key, node)
    },
    get: (key) => nodes.get(key)?.entry,
    remove: (key) => {
      const node = nodes.get(key)
      if (node === undefined) return undefined
      nodes.delete(key)
      unlink(node)
      return node.entry
    },
    clear: () => {
      for (const node of nodes.values()) {
        node.removed = true
        node.previous = undefined
        node.next = undefined
      }
      nodes.clear()
      head = undefined
      tail = undefined
    },
    size: () => nodes.size,
    cursor,
    *[Symbol.iterator]() {
      for (let node = head; node !== undefined; node = node.next) yield node.entry
    },
  }
}
