/** Keeps the `most` entries that were set last: what is set again later must be deleted before. To be called after each one. */
export function dropOldest<K>(entries: Pick<Map<K, unknown>, 'size' | 'keys' | 'delete'>, most: number): void {
  if (entries.size > most) entries.delete(entries.keys().next().value as K)
}
