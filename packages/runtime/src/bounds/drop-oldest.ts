/** Removes the oldest entry if there are more than `most`. Call it after each addition; delete an entry before setting it again. */
export function dropOldest<K>(entries: Pick<Map<K, unknown>, 'size' | 'keys' | 'delete'>, most: number): void {
  if (entries.size > most) entries.delete(entries.keys().next().value as K)
}
