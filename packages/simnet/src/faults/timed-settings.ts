import type { Scheduler } from '../world/index.ts'

/** Changes that end after a time. All of them can also be ended at once. */
export interface TimedSettings {
  /** Calls `begin` now, and `end` after `ms` milliseconds. */
  readonly during: (ms: number, begin: () => void, end: () => void) => void
  /**
   * Sets a property for a while. If several settings of the property overlap, the property has the value of the newest
   * setting that has not ended.
   */
  readonly set: <T extends object, K extends keyof T>(
    on: T,
    key: K,
    given: { readonly value: T[K]; readonly forMs: number },
  ) => void
  /** Ends all changes at once: calls their `end` functions, and gives the properties their values without faults. */
  readonly endAll: () => void
}

export function createTimedSettings(scheduler: Pick<Scheduler, 'after'>): TimedSettings {
  const undo = new Set<() => void>()
  const settings = new Map<object, Map<PropertyKey, unknown[]>>()

  function during(ms: number, begin: () => void, end: () => void): void {
    begin()
    const over = (): void => {
      if (!undo.delete(over)) return
      end()
    }
    undo.add(over)
    scheduler.after(ms, over)
  }

  function set<T extends object, K extends keyof T>(on: T, key: K, given: { value: T[K]; forMs: number }): void {
    const known = settings.get(on) ?? new Map<PropertyKey, unknown[]>()
    settings.set(on, known)
    // The list `values` begins with the value that the property has without faults.
    const values = (known.get(key) ?? [{ value: on[key] }]) as { readonly value: T[K] }[]
    known.set(key, values)
    const mine = { value: given.value }
    const applyNewest = (): void => {
      on[key] = (values.at(-1) as { readonly value: T[K] }).value
    }
    during(
      given.forMs,
      () => {
        values.push(mine)
        applyNewest()
      },
      () => {
        values.splice(values.indexOf(mine), 1)
        applyNewest()
      },
    )
  }

  return {
    during,
    set,
    endAll: () => {
      for (const over of [...undo]) over()
    },
  }
}
