import type { Clock } from '@org/runtime'
import { Packet, type PacketMsg } from '@org/types/p2p'
import type { ByteTransport } from '../transport/index.ts'
import type { Channel } from './channel.ts'
import type { Connection } from './connection.ts'
import { createFlowMonitor, type FlowStatus } from './flow-monitor.ts'
import type { MconnOptions } from './options.ts'
import { packetSize, writePacket } from './packet-bytes.ts'
import { createRateLimit } from './rate-limit.ts'
import { createRoomWaiters } from './room-waiters.ts'

/**
 * A write gets further packets until it has at least this number of bytes. All bytes of a write are encrypted together.
 */
const FLUSH_SIZE = 64 * 1024

const PING = Packet.encodeDelimited({ sum: { case: 'packetPing', value: {} } })
const PONG = Packet.encodeDelimited({ sum: { case: 'packetPong', value: {} } })

interface SenderModules {
  readonly transport: ByteTransport
  readonly clock: Clock
  readonly connection: Connection
  readonly channels: ReadonlyMap<number, Channel>
}

/** The outgoing half of a multiplexed connection: queued messages, pings and pongs. */
export interface Sender {
  /** Schedules a write of the queued messages for the end of this turn of the event loop. */
  readonly schedule: () => void
  readonly ping: () => void
  readonly pong: () => void
  /** Continues to write, because the transport has room again. */
  readonly drained: () => void
  readonly trySend: (channel: number, message: Uint8Array) => boolean
  readonly send: (channel: number, message: Uint8Array) => Promise<boolean>
  /** Wakes all senders that wait for room, after the connection has ended. */
  readonly wakeAll: () => void
  readonly status: () => FlowStatus
}

/**
 * Creates the sender of a connection. The function is long because each message, ping, pong and wait of the rate limit
 * changes what the next write contains, and when it happens.
 */
export function createSender(
  options: Pick<MconnOptions, 'sendRate' | 'sendTimeoutMs'>,
  { transport, clock, connection, channels }: SenderModules,
): Sender {
  const limit = createRateLimit(options.sendRate, clock.monotonic)
  const flow = createFlowMonitor(clock.monotonic)
  const room = createRoomWaiters(clock)
  let isScheduled = false
  let isBlocked = false
  let pongOwed = false
  let pingOwed = false

  function schedule(): void {
    if (isScheduled || isBlocked || !connection.isRunning()) return
    isScheduled = true
    // The write happens at the end of the turn, so that it contains all messages of the turn.
    setImmediate(flush)
  }

  function nextChannel(): Channel | undefined {
    let best: Channel | undefined
    for (const channel of channels.values()) {
      if (channel.hasPackets() && (best === undefined || channel.load() < best.load())) best = channel
    }
    return best
  }

  function flush(): void {
    isScheduled = false
    if (!connection.isRunning() || isBlocked) return
    const wait = limit.waitMs()
    if (wait > 0) {
      connection.arm('send', wait, flush)
      return
    }
    const bytes = nextBytes()
    if (bytes.length === 0) return
    limit.spend(bytes.length)
    flow.update(bytes.length)
    if (!transport.write(bytes)) isBlocked = true
    else if (nextChannel() !== undefined) schedule()
  }

  /** Returns the bytes of the next write, and removes its packets from the queues. */
  function nextBytes(): Uint8Array {
    const packets: PacketMsg[] = []
    let size = (pongOwed ? PONG.length : 0) + (pingOwed ? PING.length : 0)
    for (let channel = nextChannel(); channel !== undefined && size < FLUSH_SIZE; channel = nextChannel()) {
      const packet = channel.nextPacket()
      packets.push(packet)
      size += packetSize(packet)
      if (channel.canSend()) room.wakeOne(channel.descriptor.id)
    }
    const bytes = new Uint8Array(size)
    let at = 0
    if (pongOwed) {
      bytes.set(PONG, at)
      at += PONG.length
      pongOwed = false
    }
    if (pingOwed) {
      bytes.set(PING, at)
      at += PING.length
      pingOwed = false
    }
    for (const packet of packets) at = writePacket(bytes, at, packet)
    return bytes
  }

  function trySend(id: number, message: Uint8Array): boolean {
    const channel = channels.get(id)
    if (channel === undefined || connection.hasEnded()) return false
    const accepted = channel.offer(message)
    if (accepted) schedule()
    return accepted
  }

  return {
    schedule,
    ping: () => {
      pingOwed = true
      schedule()
    },
    pong: () => {
      // The pong is only noted, and sent with the next write. So a peer that sends very many pings gets at most one
      // pong per turn of the event loop.
      pongOwed = true
      schedule()
    },
    drained: () => {
      isBlocked = false
      schedule()
    },
    trySend,
    send: async (id, message) => {
      if (trySend(id, message)) return true
      if (!channels.has(id)) return false
      const deadline = clock.monotonic() + options.sendTimeoutMs
      while (!connection.hasEnded()) {
        const remainingMs = deadline - clock.monotonic()
        if (remainingMs <= 0) return false
        await room.wait(id, remainingMs)
        if (trySend(id, message)) return true
      }
      return false
    },
    wakeAll: room.wakeAll,
    status: flow.status,
  }
}
