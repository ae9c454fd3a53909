/** A component that runs. `start` may be called once; `stop` any number of times, also before or during `start`. */
export interface Service {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Starts services in order and stops them in reverse. If one fails to start, those before it are stopped and the error
 * is thrown. If a `stop` fails, the others are stopped too, and the first error is thrown at the end.
 */
export function createServiceGroup(services: readonly Service[]): Service {
  const running: Service[] = []
  let last: Promise<void> = Promise.resolve()
  let stopped = false

  async function stopAll(): Promise<void> {
    const errors: unknown[] = []
    for (let service = running.pop(); service !== undefined; service = running.pop()) {
      try {
        await service.stop()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }

  async function startAll(): Promise<void> {
    for (const service of services) {
      if (stopped) return
      running.push(service)
      try {
        await service.start()
      } catch (error) {
        await stopAll().catch(() => undefined)
        throw error
      }
    }
  }

  // Transitions run one after the other.
  function next(transition: () => Promise<void>): Promise<void> {
    const result = last.then(transition)
    last = result.catch(() => undefined)
    return result
  }

  return {
    start: () => next(startAll),
    stop: () => {
      stopped = true
      return next(stopAll)
    },
  }
}
