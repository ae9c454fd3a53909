/**
 * Returns the first item of the group with the most items; `undefined` if there is no item. If several groups have the
 * most items, returns the first item of all these groups. Used to choose the connection to close when too many are
 * open: one stranger with many connections then loses its own ones. The time is linear in the number of items.
 */
export function oldestOfLargestGroup<T>(items: Iterable<T>, groupOf: (item: T) => string): T | undefined {
  const all = [...items]
  const sizes = new Map<string, number>()
  const sizeOf = (item: T): number => sizes.get(groupOf(item)) ?? 0
  for (const item of all) sizes.set(groupOf(item), sizeOf(item) + 1)
  let found: T | undefined
  let largest = 0
  for (const item of all) {
    const size = sizeOf(item)
    if (size > largest) [found, largest] = [item, size]
  }
  return found
}
