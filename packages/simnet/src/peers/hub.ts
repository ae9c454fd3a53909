import { BLOCKSYNC_CHANNEL } from '@org/engine/protocols'
import type { NetAddress, NodeInfo } from '@org/p2p'
import type { PublicKey } from '@org/types/crypto'
import type { Dice, Life, Scheduler, Trace } from '../world/index.ts'
import { createWire, type Parcel, type Wire, type WireOptions } from './wire.ts'

/** One end of a connection, for the node at this end. */
export interface Plug {
  readonly remoteInfo: NodeInfo
  readonly remoteKey: PublicKey
  readonly remote: NetAddress
  readonly send: Wire
  /** True if the other side closes the connection before it sends anything. */
  readonly isRefused: boolean
  /** Ends the connection; the other side notices after a delay. */
  readonly close: () => void
  /** Delivers messages to the handler from now on, and reports the end once. */
  readonly handle: (handler: PlugHandler) => void
}

export interface PlugHandler {
  readonly message: (parcel: Parcel) => void | Promise<void>
  readonly closed: () => void
}

/** A node that can be reached. */
export interface Station {
  readonly name: string
  readonly address: NetAddress
  readonly life: Life
  readonly info: () => NodeInfo
  readonly key: PublicKey
  /** Accepts the connection or closes it. */
  readonly accept: (plug: Plug) => void
}

/** All connections of a network. Every end is authenticated: a node cannot claim another's id. */
export interface Hub {
  readonly register: (station: Station) => () => void
  /** Resolves with a connection; rejects if there is no node, if it refuses, or if the network is blocked. */
  readonly dial: (from: Station, to: NetAddress) => Promise<Plug>
  /**
   * Stops the messages from one node to another until `unblock`. Messages under way wait; a connection that waits too
   * long ends.
   */
  readonly block: (from: string, to: string) => void
  readonly unblock: (from: string, to: string) => void
  readonly unblockAll: () => void
  /** Ends the connection between two nodes; messages under way are lost. */
  readonly cut: (one: string, other: string) => void
  /** Ends all connections of a node. */
  readonly cutAll: (name: string) => void
  readonly flaws: (name: string) => Flaws
  /** Ends the connections of a crashed node. */
  readonly drop: (name: string) => void
  /** Gives the filter every message of a node. The filter returns the messages to send instead: several, or none. */
  readonly intercept: (name: string, filter: Interceptor | undefined) => void
  readonly connections: () => number
}

/** The faults of a node's network card; they may be changed at any time. */
export interface Flaws {
  /** The probability that a segment from or to the node is lost. */
  loss: number
  /** The probability that the node sends a message twice. */
  repeats: number
  /** The most waiting messages per channel of each of its connections. */
  room: number
  /** The node closes each incoming connection before it sends anything. */
  hangsUp: boolean
}

export type Interceptor = (to: string, parcel: Parcel) => readonly Parcel[]

export interface HubModules {
  readonly scheduler: Scheduler
  readonly dice: Dice
  readonly trace: Trace
  /** Called with every message that a node sends, after the interceptor. */
  readonly onSend: (from: string, to: string, parcel: Parcel) => void
  /** Called when the message is under way. */
  readonly onSent: (from: string, parcel: Parcel) => void
  /** Called when something goes wrong on the way. */
  readonly onFlaw: (what: string) => void
}

/** As in the reference, a block that arrives a second time was not requested. */
const NOT_REPEATED: readonly number[] = [BLOCKSYNC_CHANNEL]

/** A peer that does not answer is given up after the reference's ping interval and pong timeout. */
const GIVE_UP_MS = 105_000

interface Connection {
  readonly ends: readonly [Station, Station]
  readonly resume: () => void
  /** Ends the connection. Messages that the station `dead` had sent arrive; all others are lost. */
  readonly end: (notified: readonly Station[], dead?: Station) => void
}

export function createHub(options: WireOptions, modules: HubModules): Hub {
  const { scheduler, dice, trace, onSend, onSent, onFlaw } = modules
  const stations = new Map<string, Station>()
  const connections = new Set<Connection>()
  const blocked = new Set<string>()
  const interceptors = new Map<string, Interceptor>()
  const allFlaws = new Map<string, Flaws>()
  const way = (from: string, to: string): string => `${from}>${to}`
  const placeOf = ({ ip, port }: NetAddress): string => `${ip}:${port}`

  function flaws(name: string): Flaws {
    const known = allFlaws.get(name) ?? { loss: 0, repeats: 0, room: Number.POSITIVE_INFINITY, hangsUp: false }
    allFlaws.set(name, known)
    return known
  }

  function connect(one: Station, other: Station): readonly [Plug, Plug] {
    const handlers = new Map<Station, PlugHandler>()
    const early = new Map<Station, Parcel[]>([
      [one, []],
      [other, []],
    ])
    let open = true

    const flawsOfBoth = [flaws(one.name), flaws(other.name)] as const

    function wire(from: Station, to: Station) {
      const name = way(from.name, to.name)
      return createWire(options, {
        scheduler,
        dice,
        isBlocked: () => blocked.size > 0 && blocked.has(name),
        loss: () => Math.max(flawsOfBoth[0].loss, flawsOfBoth[1].loss),
        onLoss: () => {
          trace.note(from.name, 'lost', to.name)
          onFlaw('segment lost')
        },
        deliver: (parcel) => {
          if (!to.life.isAlive()) return undefined
          const handler = handlers.get(to)
          if (handler === undefined) {
            early.get(to)?.push(parcel)
            return undefined
          }
          trace.note(to.name, '<', from.name, parcel.channel, parcel.bytes.length)
          if (!to.life.isFrozen()) return handler.message(parcel)
          // A frozen node receives nothing, so later messages wait.
          return new Promise((resolve) => {
            to.life.later(0, () => {
              const done = handler.message(parcel)
              if (done === undefined) resolve()
              else void done.then(resolve)
            })
          })
        },
      })
    }
    const wires = new Map([
      [one, wire(one, other)],
      [other, wire(other, one)],
    ])

    function end(notified: readonly Station[], dead?: Station): void {
      if (!open) return
      open = false
      connections.delete(connection)
      trace.note(one.name, '--', other.name)
      let arrivesIn = 0
      for (const [from, each] of wires) {
        // Messages that left a machine before it died arrive.
        if (from === dead) arrivesIn = each.finish()
        else each.cut()
      }
      for (const station of notified) {
        const ms = arrivesIn + dice.between(...options.latencyMs)
        station.life.later(ms, () => handlers.get(station)?.closed())
      }
    }
    const connection: Connection = {
      ends: [one, other],
      resume: () => {
        for (const each of wires.values()) each.resume()
      },
      end,
    }
    connections.add(connection)
    trace.note(one.name, '==', other.name)

    function plug(own: Station, remote: Station): Plug {
      const raw = wires.get(own) as Wire
      const flawsOfOwn = flaws(own.name)
      const repeated = (parcel: Parcel): readonly Parcel[] => {
        if (NOT_REPEATED.includes(parcel.channel) || !dice.chance(flawsOfOwn.repeats)) return [parcel]
        onFlaw('message repeated')
        return [parcel, parcel]
      }
      const hasRoom: Wire['hasRoom'] = (channel, capacity) => raw.hasRoom(channel, Math.min(capacity, flawsOfOwn.room))
      const send: Wire = {
        ...raw,
        hasRoom,
        offer: (parcel, capacity) => {
          if (!own.life.isAlive() || !hasRoom(parcel.channel, capacity)) return false
          const filter = interceptors.get(own.name)
          const said = filter === undefined ? [parcel] : filter(remote.name, parcel)
          const parcels = flawsOfOwn.repeats === 0 ? said : said.flatMap(repeated)
          for (const each of parcels) {
            onSend(own.name, remote.name, each)
            if (!own.life.isAlive()) return false
            raw.offer(each, Number.POSITIVE_INFINITY)
            onSent(own.name, each)
          }
          return true
        },
      }
      return {
        remoteInfo: remote.info(),
        remoteKey: remote.key,
        remote: remote.address,
        send,
        isRefused: own === one && flaws(other.name).hangsUp,
        close: () => end([remote]),
        handle: (handler) => {
          handlers.set(own, handler)
          if (!open) own.life.later(0, handler.closed)
          for (const parcel of early.get(own)?.splice(0) ?? []) void handler.message(parcel)
        },
      }
    }
    return [plug(one, other), plug(other, one)]
  }

  function isBlockedBetween(one: string, other: string): boolean {
    return blocked.has(way(one, other)) || blocked.has(way(other, one))
  }

  function giveUpLater(one: string, other: string): void {
    scheduler.after(GIVE_UP_MS, () => {
      if (isBlockedBetween(one, other)) cut(one, other)
    })
  }

  function endAll(isMeant: (names: readonly string[]) => boolean): void {
    for (const connection of [...connections]) {
      if (!isMeant(connection.ends.map(({ name }) => name))) continue
      onFlaw('connection broken')
      connection.end(connection.ends)
    }
  }

  const cut = (one: string, other: string): void => endAll((names) => names.includes(one) && names.includes(other))

  return {
    register: (station) => {
      stations.set(placeOf(station.address), station)
      return () => {
        if (stations.get(placeOf(station.address)) === station) stations.delete(placeOf(station.address))
      }
    },
    dial: (from, to) =>
      new Promise((resolve, reject) => {
        // One and a half round trips.
        const ms = 3 * dice.between(...options.latencyMs)
        from.life.later(ms, () => {
          const station = stations.get(placeOf(to))
          if (station === undefined || !station.life.isAlive()) return reject(new Error('no node listens'))
          if (isBlockedBetween(from.name, station.name)) {
            from.life.later(3000, () => reject(new Error('the dial timed out')))
            return
          }
          const [near, far] = connect(from, station)
          if (near.isRefused) far.close()
          else station.accept(far)
          resolve(near)
        })
      }),
    block: (from, to) => {
      blocked.add(way(from, to))
      giveUpLater(from, to)
    },
    unblock: (from, to) => {
      blocked.delete(way(from, to))
      for (const connection of connections) connection.resume()
    },
    unblockAll: () => {
      blocked.clear()
      for (const connection of connections) connection.resume()
    },
    cut,
    cutAll: (name) => endAll((names) => names.includes(name)),
    flaws,
    drop: (name) => {
      for (const connection of [...connections]) {
        const dead = connection.ends.find((end) => end.name === name)
        if (dead === undefined) continue
        const others = connection.ends.filter((end) => end !== dead)
        connection.end(others, dead)
      }
    },
    intercept: (name, filter) => {
      if (filter === undefined) interceptors.delete(name)
      else interceptors.set(name, filter)
    },
    connections: () => connections.size,
  }
}
