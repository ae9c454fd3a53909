export interface Heap<T> {
  readonly push: (item: T) => void
  /** Removes and returns the least item. */
  readonly pop: () => T | undefined
  readonly peek: () => T | undefined
  readonly size: () => number
}

/** A binary heap. `isBefore` must order all items without ties, so that their order is fixed. */
export function createHeap<T>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = []

  function up(from: number): void {
    let at = from
    const item = items[at] as T
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(item, items[parent] as T)) break
      items[at] = items[parent] as T
      at = parent
    }
    items[at] = item
  }

  function down(): void {
    let at = 0
    const item = items[0] as T
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      if (child + 1 < items.length && isBefore(items[child + 1] as T, items[child] as T)) child++
      if (!isBefore(items[child] as T, item)) break
      items[at] = items[child] as T
      at = child
    }
    items[at] = item
  }

  return {
    push: (item) => {
      items.push(item)
      up(items.length - 1)
    },
    pop: () => {
      const first = items[0]
      const last = items.pop()
      if (items.length > 0 && last !== undefined) {
        items[0] = last
        down()
      }
      return first
    },
    peek: () => items[0],
    size: () => items.length,
  }
}
