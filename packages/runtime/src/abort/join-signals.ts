/** Returns a signal that aborts when one of the two signals aborts, with the reason of that signal. */
export function joinSignals(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other === undefined ? one : AbortSignal.any([one, other])
}
