import { createPlaces } from '@org/runtime'
import { createSlices, type SliceModules } from '../routes/slices.ts'

/** Catch-ups that work at the same time. Each of the others waits until one of these has used its slice. */
const AT_WORK = 4

/** The turns of one catch-up. */
export interface CatchUpTurn {
  /** Waits until this catch-up may work, and then for a turn of the event loop. */
  readonly begin: () => Promise<void>
  readonly isDue: () => boolean
  /** Lets the catch-up work that has waited longest, and waits to be next. */
  readonly rest: () => Promise<void>
  /** Stops working: the catch-up is over, or it waits for its client. */
  readonly end: () => void
}

/**
 * Shares the event loop between all catch-ups of a server, and between them and all calls. However many clients read stored
 * events, a turn of the loop has room for one slice of that work, and at most {@link AT_WORK} slices wait among the calls.
 */
export interface CatchUpTurns {
  readonly open: () => CatchUpTurn
}

export function createCatchUpTurns(modules: SliceModules): CatchUpTurns {
  const places = createPlaces(AT_WORK)

  return {
    open: () => {
      const slices = createSlices(modules)
      let hasPlace = false
      const begin = async (): Promise<void> => {
        await places.enter()
        hasPlace = true
        await slices.rest()
      }
      const end = (): void => {
        if (!hasPlace) return
        hasPlace = false
        places.leave()
      }
      return {
        begin,
        end,
        isDue: slices.isDue,
        rest: () => {
          end()
          return begin()
        },
      }
    },
  }
}
