/** Counts requests that the application has not answered. */
export interface OpenRequests {
  readonly begin: () => void
  readonly end: () => void
  readonly count: () => number
  /** Resolves when the application has answered all requests. */
  readonly whenNone: () => Promise<void>
}

export function createOpenRequests(): OpenRequests {
  let count = 0
  const idle: (() => void)[] = []
  return {
    begin: () => void count++,
    end: () => {
      count--
      if (count > 0) return
      for (const resolve of idle.splice(0)) resolve()
    },
    count: () => count,
    whenNone: async () => {
      if (count > 0) await new Promise<void>((resolve) => idle.push(resolve))
    },
  }
}
