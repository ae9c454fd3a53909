import type { ChannelMessage, InFlightMessage, WireWatch } from '@org/simnet/network'
import { readWireContents, WIRE_KINDS, type WireKind } from './wire-kind.ts'

/** A message that has left its sender. Times are virtual milliseconds. */
export interface Flight {
  readonly id: number
  readonly from: number
  readonly to: number
  readonly kind: WireKind
  readonly height: number
  readonly round: number
  /** The name of the block; empty for a vote for no block, and for messages that name no block. */
  readonly block: string
  readonly leftAt: number
  readonly arrivesAt: number
}

/**
 * The messages that were sent since the last call, and the ids of the messages that arrived or were lost since then.
 */
export interface Traffic {
  readonly sent: readonly Flight[]
  readonly endedIds: readonly number[]
}

/** The maximum number of new messages in one {@link Traffic}. Further messages are counted, but not shown. */
const MAX_SHOWN = 20_000

export interface InFlightMessages {
  readonly watch: WireWatch
  readonly drain: () => Traffic
  /**
   * The number of messages of each kind that nodes have received. A node receives a message when it reads the message.
   */
  readonly counts: () => Readonly<Record<WireKind, number>>
  /** The number of all messages that nodes have received. */
  readonly taken: () => number
}

const indexOf = (name: string): number => Number(name.slice(1))

/** Follows the messages of a network. */
export function createInFlightMessages(now: () => number): InFlightMessages {
  const counts = Object.fromEntries(WIRE_KINDS.map((kind) => [kind, 0])) as Record<WireKind, number>
  /**
   * Maps one direction of a link, such as `n0>n1`, to the messages that have not arrived yet, the oldest first. A
   * `channelMessage` is the content of a message. Several messages may have the same `channelMessage` object.
   */
  const inFlight = new Map<string, { readonly channelMessage: ChannelMessage; readonly flight: Flight }[]>()
  let sent: Flight[] = []
  let endedIds: number[] = []
  let nextId = 1
  let taken = 0

  function flightsOf({ from, to }: Pick<InFlightMessage, 'from' | 'to'>) {
    const name = `${from}>${to}`
    const known = inFlight.get(name) ?? []
    inFlight.set(name, known)
    return known
  }

  function lose(from: string, to: string): void {
    for (const { flight } of flightsOf({ from, to }).splice(0)) endedIds.push(flight.id)
  }

  return {
    watch: {
      left: (message, arrivesAt) => {
        const { from, to, channelMessage } = message
        const { kind, height, round, block } = readWireContents(channelMessage)
        const [leftAt, id] = [now(), nextId++]
        const flight = { id, from: indexOf(from), to: indexOf(to), kind, height, round, block, leftAt, arrivesAt }
        flightsOf(message).push({ channelMessage, flight })
        if (sent.length < MAX_SHOWN) sent.push(flight)
      },
      taken: (message) => {
        const flights = flightsOf(message)
        const at = flights.findIndex(({ channelMessage }) => channelMessage === message.channelMessage)
        const [found] = at === -1 ? [] : flights.splice(at, 1)
        if (found === undefined) return
        counts[found.flight.kind]++
        taken++
        endedIds.push(found.flight.id)
      },
      ended: ([one, other], dead) => {
        // When a connection ends, its messages are lost. But if one of its two nodes died, the living node still
        // receives the messages that the dead node had sent.
        if (dead !== one) lose(one, other)
        if (dead !== other) lose(other, one)
      },
    },
    drain: () => {
      const traffic = { sent, endedIds }
      sent = []
      endedIds = []
      return traffic
    },
    counts: () => counts,
    taken: () => taken,
  }
}
