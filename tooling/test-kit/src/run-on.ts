import { nextTurn, type VirtualClock } from '@org/runtime'

/**
 * Waits until a call settles. Whenever the program has nothing to do before the next timer, the clock is advanced to
 * that timer.
 */
export async function runOn<T>(clock: VirtualClock, call: Promise<T>): Promise<T> {
  let isDone = false
  const settled = call.finally(() => {
    isDone = true
  })
  settled.catch(() => undefined)
  for (;;) {
    for (let turn = 0; turn < 20 && !isDone; turn++) await nextTurn()
    if (isDone) return settled
    clock.next()
  }
}
