import type { RandomSource, Scheduler } from '../world/index.ts'

/** The properties of the path between two nodes. */
export interface WireOptions {
  /** The range of the latency from one end to the other, in milliseconds. */
  readonly latencyMs: readonly [low: number, high: number]
  /** Bytes per second in each direction. */
  readonly bandwidth: number
}

export const FAST_WIRE: WireOptions = { latencyMs: [0.5, 5], bandwidth: 5_000_000 }

/** A message between two nodes: the number of its channel, and its bytes. */
export interface ChannelMessage {
  readonly channel: number
  readonly bytes: Uint8Array
}

/** The size of a TCP segment: messages sent at one time on one channel share a segment up to this size. */
const SEGMENT_BYTES = 1448
/**
 * The milliseconds after which a lost segment is sent again. The time doubles with each further loss of the same
 * segment.
 */
const RETRANSMIT_MS = 200
const MAX_RETRANSMISSIONS = 8

/**
 * One direction of a connection. The messages of one channel arrive in the order in which they were sent. A message may
 * overtake a message of another channel, because each segment has a random latency. Nothing is lost while the
 * connection is open: a lost segment is sent again. Until a lost segment has arrived, no later segment of any channel
 * arrives.
 */
export interface Wire {
  /** Returns false if the channel's queue is full. */
  readonly offer: (channelMessage: ChannelMessage, capacity: number) => boolean
  readonly hasRoom: (channel: number, capacity: number) => boolean
  /** Calls `run` once when a message has left the channel's queue. Returns a function that cancels this. */
  readonly onRoom: (channel: number, run: () => void) => () => void
  readonly size: (channel: number) => number
  /** Cuts the wire: nothing arrives any more. */
  readonly cut: () => void
}

export interface WireModules {
  readonly scheduler: Scheduler
  readonly random: RandomSource
  /** Delivers a message. If it returns a promise, later messages wait until the promise resolves. */
  readonly deliver: (channelMessage: ChannelMessage) => void | Promise<void>
  /** Returns true while the wire is blocked. In this time, arrived messages wait for their delivery. */
  readonly isBlocked: () => boolean
  /** The present delay of a message in milliseconds, in addition to the latency. */
  readonly delay: () => number
  /** The present probability of a lost segment. */
  readonly loss: () => number
  readonly onLoss: () => void
  /** Called with each message that is sent, and with the virtual time of its arrival, in milliseconds. */
  readonly onLeave?: ((channelMessage: ChannelMessage, arrivesAt: number) => void) | undefined
}

interface Segment {
  readonly sentAt: number
  /** The first message of the segment. Most segments have only this message, and need no list of others. */
  readonly first: ChannelMessage
  others: ChannelMessage[] | undefined
  bytes: number
}

interface Traffic {
  size: number
  arrivesAt: number
  /** The last segment that was sent on the channel. */
  last: Segment | undefined
  readonly waiting: Set<() => void>
}

/**
 * A wire, with the functions by which the hub controls the wire. The hub (the type `Hub`) holds all connections of a
 * network.
 */
export interface HubWire extends Wire {
  readonly resume: () => void
  /**
   * Accepts no further message; messages under way still arrive. Returns the milliseconds until the last of them
   * arrives.
   */
  readonly finish: () => number
}

/**
 * Creates one direction of a connection. Its messages arrive after a delay, those of each channel in order. The
 * function is long because it contains all rules that share one state.
 */
export function createWire(options: WireOptions, modules: WireModules): HubWire {
  const { scheduler, random, deliver, isBlocked, delay, loss, onLoss, onLeave } = modules
  const traffic = new Map<number, Traffic>()
  const arrived: ChannelMessage[] = []
  /** The index, in `arrived`, of the first message that was not delivered. */
  let head = 0
  let freeAt = 0
  /**
   * The virtual time at which the last lost segment arrives, after it was sent again. Later messages cannot be read
   * before this time.
   */
  let stalledUntil = 0
  let handling = false
  let open = true
  let takes = true

  function trafficOf(channel: number): Traffic {
    let found = traffic.get(channel)
    if (found === undefined) {
      found = { size: 0, arrivesAt: 0, last: undefined, waiting: new Set() }
      traffic.set(channel, found)
    }
    return found
  }

  function leave(channel: number): void {
    const from = trafficOf(channel)
    from.size--
    const [next] = from.waiting
    if (next === undefined) return
    from.waiting.delete(next)
    next()
  }

  function handle(): void {
    while (open && !handling && !isBlocked()) {
      const channelMessage = arrived[head]
      if (channelMessage === undefined) {
        arrived.length = 0
        head = 0
        return
      }
      head++
      leave(channelMessage.channel)
      const done = deliver(channelMessage)
      if (done === undefined) continue
      handling = true
      void done.then(() => {
        handling = false
        handle()
      })
    }
  }

  /** The delay in milliseconds that lost segments cause for a message of this size. */
  function retransmission(bytes: number): number {
    const rate = loss()
    if (rate === 0) return 0
    // `ofNone` is the probability that no segment is lost. It is not computed with the operator `**`, whose last digit
    // may differ between computers. A run must have the same events on each computer.
    let ofNone = 1
    for (let sent = 0; sent < bytes; sent += SEGMENT_BYTES) ofNone *= 1 - rate
    let ms = 0
    for (let i = 0; i < MAX_RETRANSMISSIONS && random.chance(i === 0 ? 1 - ofNone : rate); i++) {
      onLoss()
      ms += RETRANSMIT_MS * 2 ** i
    }
    return ms
  }

  function send(to: Traffic, channelMessage: ChannelMessage): void {
    const now = scheduler.now()
    const size = channelMessage.bytes.length
    freeAt = Math.max(freeAt, now) + (size * 1000) / options.bandwidth
    const { last } = to
    if (last?.sentAt === now && last.bytes + size <= SEGMENT_BYTES) {
      last.bytes += size
      if (last.others === undefined) last.others = [channelMessage]
      else last.others.push(channelMessage)
      onLeave?.(channelMessage, to.arrivesAt)
      return
    }
    const late = retransmission(size)
    const travelMs = random.between(...options.latencyMs) + delay()
    to.arrivesAt = Math.max(to.arrivesAt, stalledUntil, freeAt + travelMs + late)
    if (late > 0) stalledUntil = to.arrivesAt
    const segment: Segment = { sentAt: now, first: channelMessage, others: undefined, bytes: size }
    to.last = segment
    onLeave?.(channelMessage, to.arrivesAt)
    scheduler.after(to.arrivesAt - now, () => {
      if (!open) return
      arrived.push(segment.first)
      if (segment.others !== undefined) arrived.push(...segment.others)
      handle()
    })
  }

  return {
    offer: (channelMessage, capacity) => {
      const to = trafficOf(channelMessage.channel)
      if (!takes || to.size >= capacity) return false
      to.size++
      send(to, channelMessage)
      return true
    },
    hasRoom: (channel, capacity) => takes && trafficOf(channel).size < capacity,
    onRoom: (channel, run) => {
      const { waiting } = trafficOf(channel)
      waiting.add(run)
      return () => void waiting.delete(run)
    },
    size: (channel) => trafficOf(channel).size,
    cut: () => {
      open = false
      takes = false
      arrived.length = 0
      head = 0
      for (const { waiting } of traffic.values()) for (const wake of [...waiting]) wake()
    },
    resume: handle,
    finish: () => {
      takes = false
      return Math.max(0, ...[...traffic.values()].map(({ arrivesAt }) => arrivesAt - scheduler.now()))
    },
  }
}
