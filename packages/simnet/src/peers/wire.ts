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

/** What a segment of TCP carries: what is sent at one time on one channel travels together up to here. */
const SEGMENT_BYTES = 1448
/** A lost segment is sent again after this, and then after twice as long each time. */
const RETRANSMIT_MS = 200
const MOST_RETRANSMISSIONS = 8

/**
 * One direction of a connection: channels keep their order, but not among each other. Nothing is lost while it is open: a segment
 * that is, is sent again, and all that is sent after it waits behind it.
 */
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
  /** How often a segment is lost now. */
  readonly loss: () => number
  readonly onLoss: () => void
}

interface Segment {
  readonly sentAt: number
  /** Most carry one: it has no list. */
  readonly first: Parcel
  others: Parcel[] | undefined
  bytes: number
}

interface Lane {
  size: number
  arrivesAt: number
  /** The last one that was sent. */
  last: Segment | undefined
  readonly waiting: Set<() => void>
}

/** A wire as the hub sees it. */
export interface HubWire extends Wire {
  readonly resume: () => void
  /** Takes nothing more; what is under way arrives. Returns how many milliseconds that takes. */
  readonly finish: () => number
}

export function createWire(options: WireOptions, modules: WireModules): HubWire {
  const { scheduler, dice, deliver, isBlocked, loss, onLoss } = modules
  const lanes = new Map<number, Lane>()
  const arrived: Parcel[] = []
  /** The first of them that was not handed over. */
  let head = 0
  let freeAt = 0
  /** When the last segment arrives that was lost: what is sent after it cannot be read before. */
  let stalledUntil = 0
  let handling = false
  let open = true
  let takes = true

  function lane(channel: number): Lane {
    let found = lanes.get(channel)
    if (found === undefined) {
      found = { size: 0, arrivesAt: 0, last: undefined, waiting: new Set() }
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
      const parcel = arrived[head]
      if (parcel === undefined) {
        arrived.length = 0
        head = 0
        return
      }
      head++
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

  /** Milliseconds until so many bytes are through, of which some segments are lost. */
  function retransmission(bytes: number): number {
    const rate = loss()
    if (rate === 0) return 0
    // Multiplied out: the last digit of a power may be another on another machine.
    let ofNone = 1
    for (let sent = 0; sent < bytes; sent += SEGMENT_BYTES) ofNone *= 1 - rate
    let ms = 0
    for (let i = 0; i < MOST_RETRANSMISSIONS && dice.chance(i === 0 ? 1 - ofNone : rate); i++) {
      onLoss()
      ms += RETRANSMIT_MS * 2 ** i
    }
    return ms
  }

  function send(to: Lane, parcel: Parcel): void {
    const now = scheduler.now()
    const size = parcel.bytes.length
    freeAt = Math.max(freeAt, now) + (size * 1000) / options.bandwidth
    const { last } = to
    if (last?.sentAt === now && last.bytes + size <= SEGMENT_BYTES) {
      last.bytes += size
      if (last.others === undefined) last.others = [parcel]
      else last.others.push(parcel)
      return
    }
    const late = retransmission(size)
    to.arrivesAt = Math.max(to.arrivesAt, stalledUntil, freeAt + dice.between(...options.latencyMs) + late)
    if (late > 0) stalledUntil = to.arrivesAt
    const segment: Segment = { sentAt: now, first: parcel, others: undefined, bytes: size }
    to.last = segment
    scheduler.after(to.arrivesAt - now, () => {
      if (!open) return
      arrived.push(segment.first)
      if (segment.others !== undefined) arrived.push(...segment.others)
      handle()
    })
  }

  return {
    offer: (parcel, capacity) => {
      const to = lane(parcel.channel)
      if (!takes || to.size >= capacity) return false
      to.size++
      send(to, parcel)
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
      arrived.length = 0
      head = 0
      for (const { waiting } of lanes.values()) for (const wake of [...waiting]) wake()
    },
    resume: handle,
    finish: () => {
      takes = false
      return Math.max(0, ...[...lanes.values()].map(({ arrivesAt }) => arrivesAt - scheduler.now()))
    },
  }
}
