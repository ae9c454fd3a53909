import type { Clock } from '@org/runtime'
import type { Flight } from '../../session/in-flight-messages.ts'
import type { WorkerUpdate } from '../../worker/protocol.ts'

/** The messages that the page shows on the links of the network, and the virtual time of this picture. */
export interface Flights {
  readonly apply: (update: Pick<WorkerUpdate, 'now' | 'speed' | 'sent' | 'endedIds' | 'isPaused'>) => void
  readonly clear: () => void
  readonly all: () => Iterable<Flight>
  readonly size: () => number
  /** The virtual time of the picture, in milliseconds. Between two updates, it increases at the present speed. */
  readonly now: () => number
}

/** The maximum number of messages in the picture. If there are more, the oldest messages are not shown. */
const MAX_FLIGHTS = 6000
/** The maximum real time, in milliseconds, for which the picture moves without a new update from the worker. */
const MAX_GAP_MS = 50

export function createFlights(clock: Pick<Clock, 'monotonic'>): Flights {
  const flights = new Map<number, Flight>()
  let [at, speed, takenAt] = [0, 0, 0]
  return {
    apply: (update) => {
      for (const flight of update.sent) flights.set(flight.id, flight)
      for (const id of update.endedIds) flights.delete(id)
      for (const id of flights.keys()) {
        if (flights.size <= MAX_FLIGHTS) break
        flights.delete(id)
      }
      at = update.now
      speed = update.isPaused ? 0 : update.speed
      takenAt = clock.monotonic()
    },
    clear: () => {
      flights.clear()
      ;[at, speed, takenAt] = [0, 0, 0]
    },
    all: () => flights.values(),
    size: () => flights.size,
    now: () => at + Math.min(clock.monotonic() - takenAt, MAX_GAP_MS) * speed,
  }
}
