import { type NetAddress, TRANSPORT_ERRORS, TransportError } from '@org/p2p'
import { type Connection, connect, type HubModules } from './connect.ts'
import type { ConnectionEnd, Endpoint, Interceptor, LinkFaults } from './endpoint.ts'
import type { WireOptions } from './wire.ts'

/**
 * All connections of a network. Both nodes of a connection are authenticated: no node can claim the id of another node.
 */
export interface Hub {
  readonly register: (endpoint: Endpoint) => () => void
  /**
   * Resolves with a connection. If the other node refuses, the connection has `isRefused` set. Rejects if no node
   * listens at the address, or if the network is blocked.
   */
  readonly dial: (from: Endpoint, to: NetAddress) => Promise<ConnectionEnd>
  /**
   * Stops the messages from one node to another until `unblock`. Messages that are already on the way wait. A
   * connection ends if it is blocked for too long.
   */
  readonly block: (from: string, to: string) => void
  readonly unblock: (from: string, to: string) => void
  readonly unblockAll: () => void
  /** Delays each later message from one node to another by `ms` milliseconds; 0 ends the delay. */
  readonly delay: (from: string, to: string, ms: number) => void
  /** Ends the connection between two nodes; messages under way are lost. */
  readonly cut: (one: string, other: string) => void
  /** Ends all connections of a node. */
  readonly cutAll: (name: string) => void
  readonly linkFaults: (name: string) => LinkFaults
  /** Ends the connections of a crashed node. */
  readonly drop: (name: string) => void
  /** Gives each message of the node `name` to `filter`, and sends the messages that `filter` returns in its place. */
  readonly intercept: (name: string, filter: Interceptor | undefined) => void
  readonly connections: () => number
}

/** The time after which a blocked connection ends: the reference's ping interval and pong timeout together. */
const GIVE_UP_MS = 105_000

const dialError = (reason: string): TransportError => new TransportError(TRANSPORT_ERRORS.dial, reason)

const directionKey = (from: string, to: string): string => `${from}>${to}`
const addressKey = ({ ip, port }: NetAddress): string => `${ip}:${port}`
const noLinkFaults = (): LinkFaults => ({ loss: 0, repeats: 0, room: Number.POSITIVE_INFINITY, closesIncoming: false })

/**
 * Returns a function that returns the connection faults of the node with this name. If the caller changes the returned
 * object, the faults of the node change.
 */
function createLinkFaultTable(): (name: string) => LinkFaults {
  const table = new Map<string, LinkFaults>()
  return (name) => {
    const linkFaults = table.get(name) ?? noLinkFaults()
    table.set(name, linkFaults)
    return linkFaults
  }
}

export function createHub(options: WireOptions, modules: HubModules): Hub {
  const { scheduler, random, onLinkFault } = modules
  const endpoints = new Map<string, Endpoint>()
  const connections = new Set<Connection>()
  const blocked = new Set<string>()
  /** The delays in milliseconds. The key names the sender and the receiver. */
  const delays = new Map<string, number>()
  const interceptors = new Map<string, Interceptor>()
  const linkFaults = createLinkFaultTable()

  const links = {
    isBlocked: (from: string, to: string): boolean => blocked.size > 0 && blocked.has(directionKey(from, to)),
    delay: (from: string, to: string): number => (delays.size > 0 ? (delays.get(directionKey(from, to)) ?? 0) : 0),
    interceptor: (name: string) => interceptors.get(name),
    linkFaults,
    connections,
  }

  function isBlockedBetween(one: string, other: string): boolean {
    return blocked.has(directionKey(one, other)) || blocked.has(directionKey(other, one))
  }

  function giveUpLater(one: string, other: string): void {
    scheduler.after(GIVE_UP_MS, () => {
      if (isBlockedBetween(one, other)) cut(one, other)
    })
  }

  function endAll(isMeant: (names: readonly string[]) => boolean): void {
    for (const connection of [...connections]) {
      if (!isMeant(connection.ends.map(({ name }) => name))) continue
      onLinkFault('connection broken')
      connection.end(connection.ends)
    }
  }

  const cut = (one: string, other: string): void => endAll((names) => names.includes(one) && names.includes(other))

  return {
    register: (endpoint) => {
      endpoints.set(addressKey(endpoint.address), endpoint)
      return () => {
        if (endpoints.get(addressKey(endpoint.address)) === endpoint) endpoints.delete(addressKey(endpoint.address))
      }
    },
    dial: (from, to) =>
      new Promise((resolve, reject) => {
        // The duration of a dial is one and a half round trips.
        const ms = 3 * random.between(...options.latencyMs)
        from.life.later(ms, () => {
          const endpoint = endpoints.get(addressKey(to))
          if (endpoint === undefined || !endpoint.life.isAlive()) return reject(dialError('no node listens'))
          if (isBlockedBetween(from.name, endpoint.name)) {
            from.life.later(3000, () => reject(dialError('the dial timed out')))
            return
          }
          const [near, far] = connect(options, { ...modules, links }, [from, endpoint])
          if (near.isRefused) far.close()
          else endpoint.accept(far)
          resolve(near)
        })
      }),
    block: (from, to) => {
      blocked.add(directionKey(from, to))
      giveUpLater(from, to)
    },
    unblock: (from, to) => {
      blocked.delete(directionKey(from, to))
      for (const connection of connections) connection.resume()
    },
    unblockAll: () => {
      blocked.clear()
      for (const connection of connections) connection.resume()
    },
    delay: (from, to, ms) => {
      if (ms > 0) delays.set(directionKey(from, to), ms)
      else delays.delete(directionKey(from, to))
    },
    cut,
    cutAll: (name) => endAll((names) => names.includes(name)),
    linkFaults,
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
