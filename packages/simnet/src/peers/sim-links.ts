import { type ByteTransport, type Links, MCONN_ERRORS, MconnError, type MconnModules, type Multiplexer } from '@org/p2p'
import { WORLD_ERRORS, WorldError } from '../world/index.ts'
import type { ConnectionEnd } from './endpoint.ts'
import { createMessageBytes } from './message-bytes.ts'

export interface SimLinks {
  readonly links: Links
  /** Returns the end of a connection in the form that the switch expects. Whole messages pass through it, not bytes. */
  readonly transportOf: (connection: ConnectionEnd) => ByteTransport
}

/**
 * Gives a switch the connections of the hub, which are authenticated and have channels already. So the switch does not
 * make its connections from streams.
 */
export function createSimLinks(): SimLinks {
  const connections = new WeakMap<ByteTransport, ConnectionEnd>()

  function transportOf(connection: ConnectionEnd): ByteTransport {
    const { ip, port } = connection.remote
    const transport: ByteTransport = {
      remoteAddress: `${ip}:${port}`,
      write: () => true,
      handle: () => undefined,
      pause: () => undefined,
      resume: () => undefined,
      close: connection.close,
    }
    connections.set(transport, connection)
    return transport
  }

  function connectionOf(transport: ByteTransport): ConnectionEnd {
    const connection = connections.get(transport)
    if (connection === undefined)
      throw new WorldError(WORLD_ERRORS.badState, 'the simulator did not make this connection')
    return connection
  }

  return {
    transportOf,
    links: {
      secure: async (transport) => {
        const connection = connectionOf(transport)
        if (connection.isRefused) throw new WorldError(WORLD_ERRORS.badState, 'the other side closed the connection')
        const secret = { ...transport, remoteKey: connection.remoteKey }
        connections.set(secret, connection)
        return secret
      },
      exchangeNodeInfo: async (secret) => ({ info: connectionOf(secret).remoteInfo, rest: new Uint8Array(0) }),
      createMultiplexer: ({ channels, sendTimeoutMs }, modules) =>
        channelsOver(connectionOf(modules.transport), { ...modules, channels, sendTimeoutMs }),
    },
  }
}

interface ChannelModules extends Pick<MconnModules, 'onMessage' | 'onEnd' | 'clock'> {
  readonly channels: readonly { readonly id: number; readonly priority: number; readonly sendQueueCapacity?: number }[]
  readonly sendTimeoutMs: number
}

function channelsOver(connection: ConnectionEnd, modules: ChannelModules): Multiplexer {
  const { channels, clock, sendTimeoutMs, onMessage, onEnd } = modules
  const { send } = connection
  const capacities = new Map(channels.map(({ id, sendQueueCapacity = 1 }) => [id, sendQueueCapacity]))
  const capacity = (channel: number): number => capacities.get(channel) ?? 0
  const sent = createMessageBytes(clock.monotonic)
  const received = createMessageBytes(clock.monotonic)
  let ended = false

  function end(error: Error | undefined): void {
    if (ended) return
    ended = true
    connection.close()
    onEnd(error)
  }

  function trySend(channel: number, bytes: Uint8Array): boolean {
    if (ended || !send.offer({ channel, bytes }, capacity(channel))) return false
    sent.add(channel, bytes.length)
    return true
  }

  function receive(channel: number, bytes: Uint8Array): void | Promise<void> {
    if (ended) return undefined
    received.add(channel, bytes.length)
    return onMessage(channel, bytes)
  }

  function waitForRoom(channel: number, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = clock.after(ms, () => {
        forget()
        resolve()
      })
      const forget = send.onRoom(channel, () => {
        timer.cancel()
        resolve()
      })
    })
  }

  return {
    start: () =>
      connection.handle({
        message: ({ channel, bytes }) => receive(channel, bytes),
        closed: () => end(new MconnError(MCONN_ERRORS.closed, 'the peer closed the connection')),
      }),
    stop: () => end(undefined),
    trySend,
    // Waiting messages are in the wire of the simulation, and not in the memory of the node.
    heldBytes: () => 0,
    canSend: (channel) => !ended && send.hasRoom(channel, capacity(channel)),
    send: async (channel, bytes) => {
      const deadline = clock.monotonic() + sendTimeoutMs
      while (!trySend(channel, bytes)) {
        const remainingMs = deadline - clock.monotonic()
        if (ended || remainingMs <= 0) return false
        await waitForRoom(channel, remainingMs)
      }
      return true
    },
    status: () => ({
      sent: sent.flow(),
      received: received.flow(),
      channels: channels.map(({ id, priority }) => ({
        id,
        priority,
        sendQueueCapacity: capacity(id),
        sendQueueSize: send.size(id),
        recentlySent: sent.recent(id),
      })),
    }),
  }
}
