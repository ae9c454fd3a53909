import type { Timer } from '@org/runtime'
import type { Dice, Scheduler } from '../world/index.ts'

/** How messages travel between two nodes. */
export interface WireOptions {
  /** Milliseconds from one end to the other. */
  readonly latencyMs: readonly [low: number, high: number]
  /** Bytes a second, each way. */
  readonly bandwidth: number
}

export const FAST_WIRE: WireOptions = { latencyMs: [0.5, 5], bandwidth: 5_000_000 }

export interface Parcel {
  readonly channel: number
  readonly bytes: Uint8Array
}

/** One direction of a connection: channels keep their order, but not among each other. Nothing is lost while it is open. */
export interface Wire {
  /** False if the channel's queue is full. */
  readonly offer: (parcel: Parcel, capacity: number) => boolean
  readonly hasRoom: (channel: number, capacity: number) => boolean
  /** Calls `run` once when a message has left the channel's queue. Returns how to stop that. */
  readonly onRoom: (channel: number, run: () => void) => () => void
  readonly size: (channel: number) => number
  /** Nothing arrives any more. */
  readonly cut: () => void
}

export interface WireModules {
  readonly scheduler: Scheduler
  readonly dice: Dice
  /** A promise holds back everything behind it. */
  readonly deliver: (parcel: Parcel) => void | Promise<void>
  /** While it says so, what arrives waits. */
  readonly isBlocked: () => boolean
}

interface Lane {
  size: number
  arrivesAt: number
  readonly waiting: Set<() => void>
}

/** A wire as the hub sees it. */
export interface HubWire extends Wire {
  readonly resume: () => void
  /** Takes nothing more; what is under way arrives. Returns how many milliseconds that takes. */
  readonly finish: () => number
}

export function createWire(options: WireOptions, modules: WireModules): HubWire {
  const { scheduler, dice, deliver, isBlocked } = modules
  const lanes = new Map<number, Lane>()
  const arrived: Parcel[] = []
  const timers = new Set<Timer>()
  let freeAt = 0
  let handling = false
  let open = true
  let takes = true

  function lane(channel: number): Lane {
    let found = lanes.get(channel)
    if (found === undefined) {
      found = { size: 0, arrivesAt: 0, waiting: new Set() }
      lanes.set(channel, found)
    }
    return found
  }

  function leave(channel: number): void {
    const from = lane(channel)
    from.size--
    const [next] = from.waiting
    if (next === undefined) return
    from.waiting.delete(next)
    next()
  }

  function handle(): void {
    while (open && !handling && !isBlocked()) {
      const parcel = arrived.shift()
      if (parcel === undefined) return
      leave(parcel.channel)
      const done = deliver(parcel)
      if (done === undefined) continue
      handling = true
      void done.then(() => {
        handling = false
        handle()
      })
    }
  }

  return {
    offer: (parcel, capacity) => {
      const to = lane(parcel.channel)
      if (!takes || to.size >= capacity) return false
      to.size++
      const now = scheduler.now()
      freeAt = Math.max(freeAt, now) + (parcel.bytes.length * 1000) / options.bandwidth
      to.arrivesAt = Math.max(to.arrivesAt, freeAt + dice.between(...options.latencyMs))
      const timer = scheduler.after(to.arrivesAt - now, () => {
        timers.delete(timer)
        arrived.push(parcel)
        handle()
      })
      timers.add(timer)
      return true
    },
    hasRoom: (channel, capacity) => takes && lane(channel).size < capacity,
    onRoom: (channel, run) => {
      const { waiting } = lane(channel)
      waiting.add(run)
      return () => void waiting.delete(run)
    },
    size: (channel) => lane(channel).size,
    cut: () => {
      open = false
      takes = false
      for (const timer of timers) timer.cancel()
      arrived.length = 0
      for (const { waiting } of lanes.values()) for (const wake of [...waiting]) wake()
    },
    resume: handle,
    finish: () => {
      takes = false
      return Math.max(0, ...[...lanes.values()].map(({ arrivesAt }) => arrivesAt - scheduler.now()))
    },
  }
}
