import { type Clock, type Logger, noopLogger } from '@org/runtime'
import type { ByteTransport } from '../transport/index.ts'
import { type Channel, createChannel } from './channel.ts'
import { createConnection } from './connection.ts'
import { MCONN_ERRORS, MconnError } from './errors.ts'
import type { FlowStatus } from './flow-monitor.ts'
import type { MconnOptions } from './options.ts'
import { createReadTurns, type ReadTurns } from './read-turns.ts'
import type { ReceiveBudget } from './receive-budget.ts'
import { createReceiver } from './receiver.ts'
import { createSender } from './sender.ts'

const FADE_INTERVAL_MS = 2000

/** The stream of a connection, and the functions that receive its messages and its end. */
export interface MconnModules {
  readonly transport: ByteTransport
  readonly clock: Clock
  readonly logger?: Logger
  /** Limits the memory of the unfinished messages of all connections that share this budget. */
  readonly budget?: ReceiveBudget | undefined
  /** Divides the time for reading packets among all connections that share this `ReadTurns`. */
  readonly readTurns?: ReadTurns | undefined
  /** Bytes that were read from the stream before the stream was passed to the multiplexer. */
  readonly early?: Uint8Array
  /**
   * Receives each whole message. If `onMessage` returns a promise, no more bytes are read from the peer until the
   * promise resolves. So the peer has to wait, and no message is lost.
   */
  readonly onMessage: (channel: number, message: Uint8Array) => void | Promise<void>
  /** Called once, when the connection ends. The error is `undefined` after `stop`. */
  readonly onEnd: (error: Error | undefined) => void
}

/** A connection that carries several channels over one stream. */
export interface Multiplexer {
  readonly start: () => void
  readonly stop: () => void
  /**
   * Queues a message. If the queue is full, waits for room, but not longer than the send timeout. Resolves with false
   * if there was no room, if the connection has ended, or if the channel is unknown.
   */
  readonly send: (channel: number, message: Uint8Array) => Promise<boolean>
  /** Queues a message if the queue has room. Returns true if the message was queued. */
  readonly trySend: (channel: number, message: Uint8Array) => boolean
  readonly canSend: (channel: number) => boolean
  /**
   * Returns the memory that this connection holds, in bytes: the peer's unfinished messages, and the messages in this
   * node's send queues.
   */
  readonly heldBytes: () => number
  readonly status: () => MconnStatus
}

/** The traffic of a connection in both directions, and the queue of each channel. */
export interface MconnStatus {
  readonly sent: FlowStatus
  readonly received: FlowStatus
  readonly channels: readonly ({ readonly id: number; readonly priority: number } & ReturnType<Channel['status']>)[]
}

export function createMultiplexer(options: MconnOptions, modules: MconnModules): Multiplexer {
  const { transport, clock, onMessage } = modules
  const logger = modules.logger ?? noopLogger
  const channels = new Map(options.channels.map((d) => [d.id, createChannel(d, options.maxPacketPayloadSize)]))
  const sum = (bytesOf: (channel: Channel) => number): number =>
    [...channels.values()].reduce((total, channel) => total + bytesOf(channel), 0)

  const connection = createConnection(clock, (error) => {
    sender.wakeAll()
    share?.release()
    transport.close()
    modules.onEnd(error)
  })
  const { end, arm } = connection
  const share = modules.budget?.join({ weight: () => sum((channel) => channel.weight()), drop: end })
  const sender = createSender(options, { transport, clock, connection, channels })
  const receiver = createReceiver(options, {
    transport,
    clock,
    connection,
    channels,
    share,
    turn: (modules.readTurns ?? createReadTurns(clock)).join(),
    onMessage,
    onPing: sender.pong,
  })

  function ping(): void {
    arm('ping', options.pingIntervalMs, ping)
    if (!connection.isArmed('pong')) {
      arm('pong', options.pongTimeoutMs, () => end(new MconnError(MCONN_ERRORS.pongTimeout, 'pong timeout')))
    }
    sender.ping()
  }

  function fade(): void {
    for (const channel of channels.values()) channel.fade()
    arm('fade', FADE_INTERVAL_MS, fade)
    receiver.age(FADE_INTERVAL_MS)
  }

  return {
    start: () => {
      if (!connection.start()) return
      transport.handle({
        data: receiver.push,
        drain: sender.drained,
        close: (error) => {
          logger.debug('Connection closed', { err: error?.message ?? 'the peer closed the connection' })
          end(error ?? new MconnError(MCONN_ERRORS.closed, 'the peer closed the connection'))
        },
      })
      receiver.start(modules.early)
      arm('ping', options.pingIntervalMs, ping)
      arm('fade', FADE_INTERVAL_MS, fade)
      // Messages may have been queued before the start. They are sent now.
      sender.schedule()
    },
    stop: () => end(undefined),
    trySend: sender.trySend,
    canSend: (id) => channels.get(id)?.canSend() ?? false,
    heldBytes: () => sum((channel) => channel.heldBytes() + channel.waitingBytes()),
    send: sender.send,
    status: () => ({
      sent: sender.status(),
      received: receiver.status(),
      channels: [...channels.values()].map((channel) => {
        const { id, priority } = channel.descriptor
        return { id, priority, ...channel.status() }
      }),
    }),
  }
}
