/** Yields the values of promises in the order in which the promises resolve. Throws the first rejection. */
export async function* inOrderOfCompletion<T>(promises: readonly Promise<T>[]): AsyncGenerator<T> {
  const pending = new Map(promises.map((promise, i) => [i, promise.then((value) => ({ i, value }))]))
  // Every promise needs a handler, because the caller may stop the iteration before all promises have settled.
  for (const promise of pending.values()) promise.catch(() => undefined)
  while (pending.size > 0) {
    const { i, value } = await Promise.race(pending.values())
    pending.delete(i)
    yield value
  }
}
