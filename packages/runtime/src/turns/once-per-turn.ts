/**
 * Returns a function that runs `work` later in this turn of the event loop, after the code that calls the function.
 * Several calls in one turn run `work` once.
 */
export function oncePerTurn(work: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    queueMicrotask(() => {
      isDue = false
      work()
    })
  }
}
