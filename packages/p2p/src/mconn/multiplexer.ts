import { type Clock, type Logger, noopLogger, type Timer } from '@org/runtime'
import { Packet, type PacketMsg } from '@org/types/p2p'
import type { ByteTransport } from '../transport/index.ts'
import { type Channel, createChannel } from './channel.ts'
import { MCONN_ERRORS, MconnError } from './errors.ts'
import { createFlowMonitor, type FlowStatus } from './flow-monitor.ts'
import { type MconnOptions, PACKET_OVERHEAD } from './options.ts'
import { packetSize, writePacket } from './packet-bytes.ts'
import { createPacketReader } from './packet-reader.ts'
import { createRateLimit } from './rate-limit.ts'
import type { ReceiveBudget } from './receive-budget.ts'

/** Bytes that are encrypted and written together. */
const FLUSH_SIZE = 64 * 1024
const FADE_INTERVAL_MS = 2000
/** The lowest average rate of an unfinished message, in bytes per second, if the receive rate allows it. */
const MIN_MESSAGE_RATE = 10_000

export interface MconnModules {
  readonly transport: ByteTransport
  readonly clock: Clock
  readonly logger?: Logger
  /** Counts the memory of unfinished messages, shared with other connections. */
  readonly budget?: ReceiveBudget | undefined
  /** Bytes that were read before the multiplexer received the stream. */
  readonly early?: Uint8Array
  /**
   * Called with a whole message. While the promise is pending, nothing more is read from the peer: back-pressure, not
   * loss.
   */
  readonly onMessage: (channel: number, message: Uint8Array) => void | Promise<void>
  /** Called once, when the connection ends; `undefined` after `stop`. */
  readonly onEnd: (error: Error | undefined) => void
}

/** Several channels over one stream. */
export interface Multiplexer {
  readonly start: () => void
  readonly stop: () => void
  /**
   * Queues a message. Waits for room up to the send timeout, then resolves with false. Also false when stopped or for
   * an unknown channel.
   */
  readonly send: (channel: number, message: Uint8Array) => Promise<boolean>
  /** Queues a message if there is room. */
  readonly trySend: (channel: number, message: Uint8Array) => boolean
  readonly canSend: (channel: number) => boolean
  /** Bytes of memory of the other side's unfinished messages and of this side's send queue. */
  readonly heldBytes: () => number
  readonly status: () => MconnStatus
}

export interface MconnStatus {
  readonly sent: FlowStatus
  readonly received: FlowStatus
  readonly channels: readonly ({ readonly id: number; readonly priority: number } & ReturnType<Channel['status']>)[]
}

const PING = Packet.encodeDelimited({ sum: { case: 'packetPing', value: {} } })
const PONG = Packet.encodeDelimited({ sum: { case: 'packetPong', value: {} } })

export function createMultiplexer(options: MconnOptions, modules: MconnModules): Multiplexer {
  const { transport, clock, onMessage, onEnd } = modules
  const logger = modules.logger ?? noopLogger
  const channels = new Map(options.channels.map((d) => [d.id, createChannel(d, options.maxPacketPayloadSize)]))
  const reader = createPacketReader(options.maxPacketPayloadSize + PACKET_OVERHEAD)
  const sendLimit = createRateLimit(options.sendRate, clock.monotonic)
  const receiveLimit = createRateLimit(options.receiveRate, clock.monotonic)
  const [sendFlow, receiveFlow] = [createFlowMonitor(clock.monotonic), createFlowMonitor(clock.monotonic)]
  const timers = new Map<'ping' | 'pong' | 'fade' | 'send' | 'receive', Timer>()
  const roomWaiters = new Map<number, (() => void)[]>()
  let state: 'idle' | 'running' | 'ended' = 'idle'
  let flushing = false
  let blocked = false
  let pongsOwed = 0
  let pingOwed = false
  let reading = false
  /** True if a packet was read since the last check of unfinished messages. */
  let hasRead = false
  const share = modules.budget?.join({
    weight: () => [...channels.values()].reduce((sum, channel) => sum + channel.weight(), 0),
    drop: end,
  })

  function arm(name: 'ping' | 'pong' | 'fade' | 'send' | 'receive', ms: number, run: () => void): void {
    timers.get(name)?.cancel()
    timers.set(
      name,
      clock.after(ms, () => {
        timers.delete(name)
        if (state === 'running') run()
      }),
    )
  }

  function end(error: Error | undefined): void {
    if (state === 'ended') return
    state = 'ended'
    for (const timer of timers.values()) timer.cancel()
    timers.clear()
    for (const waiters of roomWaiters.values()) for (const wake of waiters) wake()
    roomWaiters.clear()
    share?.leave()
    transport.close()
    onEnd(error)
  }

  function scheduleFlush(): void {
    if (flushing || blocked || state !== 'running') return
    flushing = true
    // Flushes at the end of the turn, so that all messages of one turn leave in one write.
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
    flushing = false
    if (state !== 'running' || blocked) return
    const wait = sendLimit.waitMs()
    if (wait > 0) {
      arm('send', wait, flush)
      return
    }
    const bytes = nextBytes()
    if (bytes.length === 0) return
    sendLimit.spend(bytes.length)
    sendFlow.update(bytes.length)
    if (!transport.write(bytes)) blocked = true
    else if (nextChannel() !== undefined) scheduleFlush()
  }

  /** Returns the bytes of the next write. */
  function nextBytes(): Uint8Array {
    const packets: PacketMsg[] = []
    let size = pongsOwed * PONG.length + (pingOwed ? PING.length : 0)
    for (let channel = nextChannel(); channel !== undefined && size < FLUSH_SIZE; channel = nextChannel()) {
      const packet = channel.nextPacket()
      packets.push(packet)
      size += packetSize(packet)
      wakeOne(channel)
    }
    const bytes = new Uint8Array(size)
    let at = 0
    for (; pongsOwed > 0; pongsOwed--) {
      bytes.set(PONG, at)
      at += PONG.length
    }
    if (pingOwed) {
      bytes.set(PING, at)
      at += PING.length
      pingOwed = false
    }
    for (const packet of packets) at = writePacket(bytes, at, packet)
    return bytes
  }

  function wakeOne(channel: Channel): void {
    if (channel.canSend()) roomWaiters.get(channel.descriptor.id)?.shift()?.()
  }

  /** Reads packets one after the other, and stops while a message is being handled or the rate is used up. */
  async function read(): Promise<void> {
    reading = true
    try {
      for (let packet = reader.next(); packet !== undefined && state === 'running'; packet = reader.next()) {
        hasRead = true
        const handled = receive(packet)
        if (handled !== undefined) await handled
      }
    } catch (error) {
      end(error as Error)
    }
    reading = false
    if (state !== 'running') return
    const wait = receiveLimit.waitMs()
    if (wait === 0) transport.resume()
    else {
      transport.pause()
      arm('receive', wait, () => transport.resume())
    }
  }

  function receive({ sum }: Packet): Promise<void> | undefined {
    if (sum?.case === 'packetPing') {
      // A peer that only pings gets at most one answer per turn.
      pongsOwed = 1
      scheduleFlush()
      return undefined
    }
    if (sum?.case === 'packetPong') {
      timers.get('pong')?.cancel()
      timers.delete('pong')
      return undefined
    }
    if (sum === undefined) throw new MconnError(MCONN_ERRORS.packet, 'a packet of an unknown kind')
    const channel = channels.get(sum.value.channelId)
    if (channel === undefined) {
      const id = sum.value.channelId
      throw new MconnError(MCONN_ERRORS.unknownChannel, `unknown channel ${id.toString(16).toUpperCase()}`, {
        data: { id },
      })
    }
    const before = channel.held()
    const message = channel.join(sum.value)
    share?.add(channel.held() - before)
    return message === undefined || state !== 'running' ? undefined : handle(channel.descriptor.id, message)
  }

  /** The memory of a message counts while it is being handled, too. */
  function handle(id: number, message: Uint8Array): Promise<void> | undefined {
    const handled = onMessage(id, message)
    if (!(handled instanceof Promise) || share === undefined) return handled ?? undefined
    share.add(message.length)
    return handled.finally(() => share.add(-message.length))
  }

  function ping(): void {
    pingOwed = true
    arm('ping', options.pingIntervalMs, ping)
    if (!timers.has('pong')) {
      arm('pong', options.pongTimeoutMs, () => end(new MconnError(MCONN_ERRORS.pongTimeout, 'pong timeout')))
    }
    scheduleFlush()
  }

  function fade(): void {
    for (const channel of channels.values()) channel.fade()
    arm('fade', FADE_INTERVAL_MS, fade)
    // While a message is being handled nothing is read, so the peer is not at fault for a delay.
    if (!reading || hasRead) ageMessages()
    hasRead = false
  }

  function ageMessages(): void {
    const rate = options.receiveRate > 0 ? Math.min(MIN_MESSAGE_RATE, options.receiveRate / 4) : MIN_MESSAGE_RATE
    try {
      for (const channel of channels.values()) channel.age(FADE_INTERVAL_MS, rate)
    } catch (error) {
      end(error as Error)
    }
  }

  function trySend(id: number, message: Uint8Array): boolean {
    const channel = channels.get(id)
    if (channel === undefined || state === 'ended') return false
    const accepted = channel.offer(message)
    if (accepted) scheduleFlush()
    return accepted
  }

  return {
    start: () => {
      if (state !== 'idle') return
      state = 'running'
      transport.handle({
        data: (bytes) => {
          receiveLimit.spend(bytes.length)
          receiveFlow.update(bytes.length)
          reader.push(bytes)
          // One more piece may arrive while a message is being handled.
          if (reading) transport.pause()
          else void read()
        },
        drain: () => {
          blocked = false
          scheduleFlush()
        },
        close: (error) => {
          logger.debug('Connection closed', { err: error?.message ?? 'by the other side' })
          end(error ?? new MconnError(MCONN_ERRORS.closed, 'the peer closed the connection'))
        },
      })
      reader.push(modules.early ?? new Uint8Array(0))
      void read()
      arm('ping', options.pingIntervalMs, ping)
      arm('fade', FADE_INTERVAL_MS, fade)
      // Messages queued before the start are sent now.
      scheduleFlush()
    },
    stop: () => end(undefined),
    trySend,
    canSend: (id) => channels.get(id)?.canSend() ?? false,
    heldBytes: () => [...channels.values()].reduce((sum, channel) => sum + channel.held() + channel.waitingBytes(), 0),
    send: async (id, message) => {
      if (trySend(id, message)) return true
      if (!channels.has(id)) return false
      const deadline = clock.monotonic() + options.sendTimeoutMs
      while (state !== 'ended') {
        const left = deadline - clock.monotonic()
        if (left <= 0) return false
        await room(id, left)
        if (trySend(id, message)) return true
      }
      return false
    },
    status: () => ({
      sent: sendFlow.status(),
      received: receiveFlow.status(),
      channels: [...channels.values()].map((channel) => {
        const { id, priority } = channel.descriptor
        return { id, priority, ...channel.status() }
      }),
    }),
  }

  /** Resolves when a message has left the channel's queue, the time is over, or the connection has ended. */
  function room(id: number, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const waiters = roomWaiters.get(id) ?? []
      roomWaiters.set(id, waiters)
      const timer = clock.after(ms, () => {
        const at = waiters.indexOf(wake)
        if (at >= 0) waiters.splice(at, 1)
        resolve()
      })
      const wake = (): void => {
        timer.cancel()
        resolve()
      }
      waiters.push(wake)
    })
  }
}
