import { bytesToBinary, compareBytes } from '@org/types/bytes'

export interface Change {
  readonly key: Uint8Array
  /** The new value of the key; `undefined` removes the key. */
  readonly value: Uint8Array | undefined
}

interface Bounds {
  readonly from?: Uint8Array | undefined
  readonly before?: Uint8Array | undefined
}

/**
 * A list of changes, with at most one change for each key. A call of `within` sorts the list by key, and the list stays
 * sorted for later calls of `within`.
 */
export interface SortedChanges {
  readonly get: (key: Uint8Array) => Change | undefined
  /** Adds a change. It replaces an earlier change of the same key. */
  readonly put: (change: Change) => void
  /** Returns the changes of a range, in the order of their keys. Later changes do not change the returned list. */
  readonly within: (bounds: Bounds) => Change[]
}

/**
 * The maximum number of new changes that are inserted into the sorted list one by one. A greater number of new changes
 * is sorted and then merged with the list, which takes less time.
 */
const MAX_PLACED = 64

const byKey = (a: Change, b: Change): number => compareBytes(a.key, b.key)

/** Returns the number of changes whose keys are below `key`. */
function countBelow(sorted: readonly Change[], key: Uint8Array): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareBytes((sorted[middle] as Change).key, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function place(sorted: Change[], change: Change): void {
  const at = countBelow(sorted, change.key)
  const next = sorted[at]
  const isSameKey = next !== undefined && compareBytes(next.key, change.key) === 0
  sorted.splice(at, isSameKey ? 1 : 0, change)
}

/** Creates an empty list of changes. */
export function createSortedChanges(): SortedChanges {
  const all = new Map<string, Change>()
  /** The changes that are not in `sorted` yet. */
  const added = new Map<string, Change>()
  let sorted: Change[] = []

  function sort(): readonly Change[] {
    if (added.size > MAX_PLACED) {
      const former = sorted.filter(({ key }) => !added.has(bytesToBinary(key)))
      // The outer `sort(byKey)` takes linear time, because it only merges two sorted parts.
      sorted = [...former, ...[...added.values()].sort(byKey)].sort(byKey)
    } else for (const change of added.values()) place(sorted, change)
    added.clear()
    return sorted
  }

  return {
    get: (key) => all.get(bytesToBinary(key)),
    put: (change) => {
      const name = bytesToBinary(change.key)
      all.set(name, change)
      added.set(name, change)
    },
    within: ({ from, before }) => {
      const list = sort()
      const first = from === undefined ? 0 : countBelow(list, from)
      return list.slice(first, before === undefined ? list.length : countBelow(list, before))
    },
  }
}
