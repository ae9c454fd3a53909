import type { Clock } from '@org/runtime'
import type { Packet, PacketMsg } from '@org/types/p2p'
import type { ByteTransport } from '../transport/index.ts'
import type { Channel } from './channel.ts'
import type { Connection } from './connection.ts'
import { MCONN_ERRORS, MconnError } from './errors.ts'
import { createFlowMonitor, type FlowStatus } from './flow-monitor.ts'
import { type MconnOptions, PACKET_OVERHEAD } from './options.ts'
import { createPacketReader } from './packet-reader.ts'
import { createRateLimit } from './rate-limit.ts'
import type { ReadTurn } from './read-turns.ts'
import type { BudgetShare } from './receive-budget.ts'

/**
 * The minimum rate of an unfinished message, in bytes per second. A message may take one minute longer than its
 * received bytes need at this rate. If the message takes even longer, the connection ends. If the configured limit
 * `receiveRate` is below four times this number, the minimum rate is a quarter of `receiveRate`.
 */
const MIN_MESSAGE_RATE = 10_000
/**
 * For the receive rate, packets count on average as at least this number of bytes each. Even an empty packet costs the
 * node as much work as this number of bytes.
 */
const MIN_PACKET_COST = 256
/**
 * For the receive rate, encrypted frames count on average as at least this number of bytes each. A frame always has
 * 1044 bytes on the wire, although it may contain a single byte of data.
 */
const MIN_FRAME_COST = 256

interface ReceiverModules {
  readonly transport: ByteTransport
  readonly clock: Clock
  readonly connection: Connection
  readonly channels: ReadonlyMap<number, Channel>
  readonly share: BudgetShare | undefined
  readonly turn: ReadTurn
  readonly onMessage: (channel: number, message: Uint8Array) => void | Promise<void>
  readonly onPing: () => void
}

/**
 * The incoming half of a multiplexed connection. It makes whole messages from packets, and handles the messages one
 * after the other.
 */
export interface Receiver {
  /**
   * Begins to read packets. `early` contains the bytes that arrived during the handshake after the peer's node info.
   * These bytes are read first.
   */
  readonly start: (early: Uint8Array | undefined) => void
  /** Takes received bytes. `frames` is the number of encrypted frames that contained them. */
  readonly push: (bytes: Uint8Array, frames?: number) => void
  /** Adds `elapsedMs` to the age of all unfinished messages. If a message is too slow, ends the connection. */
  readonly age: (elapsedMs: number) => void
  readonly status: () => FlowStatus
}

/**
 * Returns a function that adds a packet to its message. When a message is complete, the function passes the message to
 * `onMessage`.
 */
function createJoin({
  channels,
  share,
  connection,
  onMessage,
}: ReceiverModules): (packet: PacketMsg) => Promise<void> | undefined {
  function join(packet: PacketMsg): Promise<void> | undefined {
    const id = packet.channelId
    const channel = channels.get(id)
    if (channel === undefined) {
      throw new MconnError(MCONN_ERRORS.unknownChannel, `unknown channel ${id.toString(16).toUpperCase()}`, {
        data: { id },
      })
    }
    const before = channel.heldBytes()
    const message = channel.join(packet)
    share?.add(channel.heldBytes() - before)
    return message === undefined || !connection.isRunning() ? undefined : handle(id, message)
  }

  /** Passes a message to `onMessage`. The budget counts the memory of the message until it is handled. */
  function handle(id: number, message: Uint8Array): Promise<void> | undefined {
    const handled = onMessage(id, message)
    if (!(handled instanceof Promise) || share === undefined) return handled ?? undefined
    share.add(message.length)
    return handled.finally(() => share.add(-message.length))
  }

  return join
}

export function createReceiver(
  options: Pick<MconnOptions, 'receiveRate' | 'maxPacketPayloadSize'>,
  modules: ReceiverModules,
): Receiver {
  const { transport, clock, connection, channels, turn } = modules
  const join = createJoin(modules)
  const reader = createPacketReader(options.maxPacketPayloadSize + PACKET_OVERHEAD)
  const limit = createRateLimit(options.receiveRate, clock.monotonic)
  const flow = createFlowMonitor(clock.monotonic)
  let isReading = false
  /** True if a packet was read since the last check of unfinished messages. */
  let hasRead = false

  /**
   * The number of received bytes, minus {@link MIN_PACKET_COST} for each packet that was read. The received bytes are
   * already counted against the limit of the receive rate. If the packets are so small that `credit` is negative, its
   * absolute value is counted too. So packets count on average as at least {@link MIN_PACKET_COST} bytes each.
   */
  let credit = 0

  /** Reads packets one after the other. Waits while a message is being handled, and while the rate is used up. */
  async function read(): Promise<void> {
    isReading = true
    let begun = turn.begin()
    if (begun !== undefined) await begun
    try {
      for (let packet = reader.next(); packet !== undefined && connection.isRunning(); packet = reader.next()) {
        hasRead = true
        credit -= MIN_PACKET_COST
        const handled = receive(packet)
        if (handled === undefined && !turn.isOver()) continue
        turn.end()
        try {
          if (handled !== undefined) await handled
        } finally {
          begun = turn.begin()
          if (begun !== undefined) await begun
        }
      }
    } catch (error) {
      connection.end(error as Error)
    }
    turn.end()
    isReading = false
    if (!connection.isRunning()) return
    limit.spend(Math.max(0, -credit))
    credit = 0
    const wait = limit.waitMs()
    if (wait === 0) transport.resume()
    else {
      transport.pause()
      connection.arm('receive', wait, () => transport.resume())
    }
  }

  function receive({ sum }: Packet): Promise<void> | undefined {
    if (sum?.case === 'packetPing') {
      modules.onPing()
      return undefined
    }
    if (sum?.case === 'packetPong') {
      connection.disarm('pong')
      return undefined
    }
    if (sum === undefined) throw new MconnError(MCONN_ERRORS.packet, 'the peer sent a packet of an unknown kind')
    return join(sum.value)
  }

  return {
    start: (early) => {
      reader.push(early ?? new Uint8Array(0))
      void read()
    },
    push: (bytes, frames = 0) => {
      const cost = Math.max(bytes.length, frames * MIN_FRAME_COST)
      limit.spend(cost)
      credit += cost
      flow.update(bytes.length)
      reader.push(bytes)
      // While a message is being handled, the stream may deliver one more piece. Then the stream is paused.
      if (isReading) transport.pause()
      else void read()
    },
    age: (elapsedMs) => {
      // While a message is being handled, no bytes are read, so a delay in this time is not the peer's fault.
      const isPeersTurn = !isReading || hasRead
      hasRead = false
      if (!isPeersTurn) return
      const rate = options.receiveRate > 0 ? Math.min(MIN_MESSAGE_RATE, options.receiveRate / 4) : MIN_MESSAGE_RATE
      try {
        for (const channel of channels.values()) channel.age(elapsedMs, rate)
      } catch (error) {
        connection.end(error as Error)
      }
    },
    status: flow.status,
  }
}
