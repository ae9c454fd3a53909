/** The result of a load: the number of answers, the number of failed answers, and the time that the load took. */
export interface LoadResult {
  readonly answered: number
  readonly failed: number
  readonly seconds: number
}

/** The answers so far, over all connections of a load. */
export interface LoadCounts {
  answered: number
  failed: number
}

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** Returns the next request, or `undefined` after the last one. */
  readonly next: () => Buffer | undefined
}

/** Sends the requests of a load on one connection. Resolves when the connection is closed. */
type OneConnection<O> = (options: O, deadline: number, counts: LoadCounts) => Promise<void>

/** Runs a load on all its connections at the same time. Ends after `seconds`, or after the last request. */
export async function runLoad<O extends LoadOptions>(options: O, run: OneConnection<O>): Promise<LoadResult> {
  const started = performance.now()
  const deadline = started + options.seconds * 1000
  const counts: LoadCounts = { answered: 0, failed: 0 }
  await Promise.all(Array.from({ length: options.connections }, () => run(options, deadline, counts)))
  return { ...counts, seconds: (performance.now() - started) / 1000 }
}
