/**
 * Returns a function that runs `work` once, after the code that calls the function in this turn: for all changes that
 * come together.
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
