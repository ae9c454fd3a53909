/**
 * Removes the oldest entry if there are more than `most` entries. The caller must call it after each addition, and must
 * delete an entry before it sets the entry again.
 */
export function dropOldest<K>(entries: Pick<Map<K, unknown>, 'size' | 'keys' | 'delete'>, most: number): void {
  if (entries.size > most) entries.delete(entries.keys().next().value as K)
}
