import type { Clock, Timer } from '../clock/index.ts'

/** The size and the speed of a {@link Budget}, in the units of its costs. */
export interface BudgetOptions {
  /** The budget at the start, and the maximum that it reaches again after a time without costs. */
  readonly burst: number
  readonly perSecond: number
}

/**
 * A token bucket. Costs may be of any size: a cost is accepted if any budget is left. The missing part becomes a debt,
 * which is paid before the next cost is accepted.
 */
export interface Budget {
  /** Takes the cost and returns true if any budget is left and no caller waits. Otherwise returns false. */
  readonly tryTake: (cost: number) => boolean
  /** Resolves when the cost is taken. Callers are served in the order of their calls. */
  readonly take: (cost: number) => Promise<void>
  /**
   * Takes the cost at once, even if the cost is larger than the budget that is left. It is for work that cannot wait.
   */
  readonly spend: (cost: number) => void
  /** Returns the number of callers that wait. */
  readonly waiting: () => number
}

/**
 * Creates a budget of which nothing is spent yet. Calls of the method `take` wait while no budget is left. The owner of
 * the budget must limit the number of these calls.
 */
export function createBudget({ burst, perSecond }: BudgetOptions, clock: Pick<Clock, 'monotonic' | 'after'>): Budget {
  const queue: { readonly cost: number; readonly resolve: () => void }[] = []
  let available = burst
  let at = clock.monotonic()
  let timer: Timer | undefined

  function hasSome(): boolean {
    const now = clock.monotonic()
    available = Math.min(burst, available + ((now - at) / 1000) * perSecond)
    at = now
    return available > 0
  }

  function serve(): void {
    timer = undefined
    while (queue.length > 0 && hasSome()) {
      const { cost, resolve } = queue.shift() as (typeof queue)[number]
      available -= cost
      resolve()
    }
    if (queue.length > 0) timer = clock.after(Math.ceil(((1 - available) / perSecond) * 1000), serve)
  }

  return {
    tryTake: (cost) => {
      if (queue.length > 0 || !hasSome()) return false
      available -= cost
      return true
    },
    take: (cost) =>
      new Promise((resolve) => {
        queue.push({ cost, resolve })
        if (timer === undefined) serve()
      }),
    spend: (cost) => {
      hasSome()
      available -= cost
    },
    waiting: () => queue.length,
  }
}
