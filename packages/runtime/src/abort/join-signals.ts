/** A signal that aborts when one of several other signals aborts, until it is unlinked from them. */
export interface JoinedSignal {
  readonly signal: AbortSignal
  /** Aborts the joined signal, and unlinks it from the signals that were joined. */
  readonly abort: (reason?: unknown) => void
  /**
   * Unlinks the joined signal: removes its listeners from the signals that were joined. After that, only the function
   * `abort` aborts the joined signal.
   */
  readonly unlink: () => void
}

/**
 * Creates a signal that aborts when one of `signals` aborts, with the reason of that signal. When the work that uses
 * the joined signal is over, its owner must call `unlink` or `abort`. Otherwise the joined signal stays in memory until
 * each of `signals` is released.
 *
 * `AbortSignal.any` is not used, because it returns a signal that can stay in memory forever. Node.js keeps this signal
 * in a list of the whole process while the signal has a listener.
 */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]): JoinedSignal {
  const joined = new AbortController()

  function unlink(): void {
    for (const signal of signals) signal?.removeEventListener('abort', follow)
  }

  function abort(reason?: unknown): void {
    unlink()
    joined.abort(reason)
  }

  // Several of `signals` may be aborted when this function runs, because a listener of one signal may abort another
  // signal. The reason is then that of the first aborted signal in `signals`.
  function follow(): void {
    const source = signals.find((signal) => signal?.aborted)
    if (source !== undefined) abort(source.reason)
  }

  for (const signal of signals) signal?.addEventListener('abort', follow)
  follow()
  return { signal: joined.signal, abort, unlink }
}
