/**
 * Returns the oldest item of the group with the most items; `undefined` if there is no item. The oldest item is the
 * first of `items`. If several groups have the most items, the result is the oldest item in these groups. The time is
 * linear in the number of items.
 *
 * If too many connections are open, this function chooses the connection to close. If one stranger has opened many
 * connections, a connection of this stranger is closed, and not a connection of another peer.
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
