import { createCleanups } from './cleanups.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'
import type { Service } from './service.ts'

/** A part of a group. A part without `start` is only stopped; a part without `stop` is only started. */
export type ServicePart = Partial<{
  readonly [K in keyof Service]: () => void | Promise<void>
}>

/**
 * Creates a service that starts its parts in order and stops them in reverse. If a part fails to start, this part and
 * the parts before it are stopped, and the error is thrown. If a `stop` fails, the other parts are stopped too, and the
 * first error is thrown at the end. If a task of the running group fails, `failed` is called with its error.
 */
export function createServiceGroup(
  name: string,
  parts: readonly ServicePart[],
  failed: (error: unknown) => void = () => undefined,
): Lifecycle {
  const stops = createCleanups()

  return createLifecycle({
    name,
    start: async (signal) => {
      for (const part of parts) {
        if (signal.aborted) return
        stops.add(() => part.stop?.())
        try {
          await part.start?.()
        } catch (error) {
          await stops.run().catch(() => undefined)
          throw error
        }
      }
    },
    // `stop` may be called during `start`. If a part is starting then, the `stop` of that part ends its start.
    stop: stops.run,
    failed,
  })
}
