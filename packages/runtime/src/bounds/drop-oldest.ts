/**
 * Removes the oldest entry of a map or a set if it has more than `most` entries. The caller must call this function
 * after each addition. An entry that is set again counts as new only if the caller deletes it first.
 */
export function dropOldest<K>(entries: Pick<Map<K, unknown>, 'size' | 'keys' | 'delete'>, most: number): void {
  if (entries.size > most) entries.delete(entries.keys().next().value as K)
}
