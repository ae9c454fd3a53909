/** A signal that aborts when one of several other signals aborts, until it is unlinked from them. */
export interface JoinedSignal {
  readonly signal: AbortSignal
  /** Aborts the joined signal, and unlinks it. */
  readonly abort: (reason?: unknown) => void
  /** Removes the listeners at the other signals. After that, only `abort` aborts the joined signal. */
  readonly unlink: () => void
}

/**
 * Creates a signal that aborts when one of `signals` aborts, with the reason of that signal. When the work that uses the
 * joined signal is over, its owner must call `unlink` or `abort`. Otherwise the joined signal stays in memory as long as
 * each of `signals`.
 *
 * `AbortSignal.any` is not used. Node.js keeps each signal of `AbortSignal.any` that has a listener in a list of the
 * whole process, until one of the joined signals aborts. If the listener references the joined signals, none of these
 * objects is ever collected.
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

  // A listener at one signal may abort a second signal, before this function is called for the first signal. Then the
  // reason is that of the signal that comes first in `signals`.
  function follow(): void {
    const source = signals.find((signal) => signal?.aborted)
    if (source !== undefined) abort(source.reason)
  }

  for (const signal of signals) signal?.addEventListener('abort', follow)
  follow()
  return { signal: joined.signal, abort, unlink }
}
