import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { binaryOf } from '../json/index.ts'
import { CallQueue } from './call-queue.ts'
import type { EventFrames } from './event-frame.ts'
import type { EventOutbox } from './event-outbox.ts'
import { Heartbeat } from './heartbeat.ts'
import type { Caller, RpcService } from './service.ts'
import { Subscriptions } from './subscriptions.ts'
import { answerMessage, panicReply } from './websocket-call.ts'
import { WebSocketWriter } from './websocket-writer.ts'

/** The code of a close for a client that should come again later. */
const TRY_AGAIN_LATER = 1013

export interface RpcWebSocketModules {
  readonly frames: EventFrames
  readonly outbox: EventOutbox
  readonly remoteAddress: string
  /** What the WebSocket was made of. */
  readonly connection: Duplex
}

/** One WebSocket: calls are answered one after the other, events are sent between them. */
export class RpcWebSocket {
  readonly #socket: WebSocket
  readonly #service: RpcService
  readonly #abort = new AbortController()
  readonly #writer: WebSocketWriter
  readonly #subscriptions: Subscriptions
  readonly #calls: CallQueue
  readonly #heartbeat: Heartbeat

  constructor(
    socket: WebSocket,
    service: RpcService,
    { frames, outbox, remoteAddress, connection }: RpcWebSocketModules,
  ) {
    this.#socket = socket
    this.#service = service
    const writer = new WebSocketWriter(service.options, {
      socket,
      connection,
      outbox,
      meter: service.meter,
      onSent: this.#onSent,
    })
    this.#writer = writer
    this.#subscriptions = new Subscriptions(remoteAddress, {
      service,
      frames,
      writer,
      turnAway: () => socket.close(TRY_AGAIN_LATER),
    })
    const caller: Caller = { remoteAddress, signal: () => this.#abort.signal, connection: this.#subscriptions }
    this.#calls = new CallQueue({
      socket,
      answer: (text) => answerMessage(service, caller, text),
      fault: (error) => panicReply(service.profile, error),
      send: (reply) => writer.send(reply),
    })
    this.#heartbeat = new Heartbeat(socket, service.clock)
    socket.on('message', this.#onMessage)
    socket.on('close', this.#onClose)
    socket.on('error', () => undefined)
  }

  /** Says good-bye and ends the connection. */
  close(): void {
    this.#writer.flush()
    this.#socket.close(1001)
  }

  #onMessage = (data: unknown): void => {
    this.#heartbeat.heard()
    const text = binaryOf(data as Uint8Array)
    this.#service.meter?.received(text.length)
    this.#calls.push(text)
  }

  #onSent = (): void => {
    if (!this.#calls.isHeldUp) return
    // Its pongs may wait behind calls that are not read: it is there, since it takes what is written.
    this.#heartbeat.heard()
    this.#calls.goOn()
  }

  #onClose = (): void => {
    this.#heartbeat.stop()
    this.#calls.close()
    this.#writer.close()
    this.#abort.abort(new Error('context canceled'))
    this.#subscriptions.end()
  }
}
