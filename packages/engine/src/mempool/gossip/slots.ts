/** A number of places, and a line for them. */
export interface Slots {
  /** Calls `enter` when there is a place: at once, or later. Returns how to leave the place or the line. */
  readonly acquire: (enter: () => void) => () => void
}

/** `limit` 0: there is always a place. */
export function createSlots(limit: number): Slots {
  const line: (() => void)[] = []
  let used = 0
  return {
    acquire: (enter) => {
      if (limit === 0) {
        enter()
        return () => undefined
      }
      let state: 'waiting' | 'in' | 'left' = 'waiting'
      const take = (): void => {
        used++
        state = 'in'
        enter()
      }
      if (used < limit) take()
      else line.push(take)
      return () => {
        if (state === 'in') {
          used--
          line.shift()?.()
        } else if (state === 'waiting') line.splice(line.indexOf(take), 1)
        state = 'left'
      }
    },
  }
}
