/** A first-in, first-out queue. On average, removing an item takes constant time. */
export interface PendingQueue<T> {
  readonly push: (item: T) => void
  readonly peek: () => T | undefined
  readonly shift: () => T | undefined
  readonly size: () => number
  /** Removes and returns all items. */
  readonly clear: () => readonly T[]
}

const COMPACT_AT = 1024

export function createPendingQueue<T>(): PendingQueue<T> {
  let items: (T | undefined)[] = []
  let head = 0
  return {
    push: (item) => void items.push(item),
    peek: () => items[head],
    shift: () => {
      if (head === items.length) return undefined
      const item = items[head]
      items[head++] = undefined
      if (head === items.length) {
        items = []
        head = 0
      } else if (head >= COMPACT_AT && head * 2 >= items.length) {
        items = items.slice(head)
        head = 0
      }
      return item
    },
    size: () => items.length - head,
    clear: () => {
      const removed = items.slice(head) as T[]
      items = []
      head = 0
      return removed
    },
  }
}
