/** A promise, with the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T | PromiseLike<T>) => void
  readonly reject: (reason: unknown) => void
}

/** Creates a promise that its owner settles later. Node.js 20 does not have `Promise.withResolvers`. */
export function createDeferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> | undefined
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // The constructor of a promise calls its function at once, so `settle` has a value.
  return { promise, ...(settle as unknown as Omit<Deferred<T>, 'promise'>) }
}
