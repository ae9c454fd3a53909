/** Returns true if an application answers a call with a promise. */
export function isPromise(answer: unknown): answer is Promise<unknown> {
  return typeof (answer as { then?: unknown } | undefined)?.then === 'function'
}
