import type { Duplex } from 'node:stream'
import type { Timer } from '@org/runtime'
import type { WebSocket } from 'ws'
import { isPanic, messageOf, refused } from '../errors.ts'
import { type Binary, binaryOf, commonRequestOf, type RpcRequest, requestOf, scanFirst } from '../json/index.ts'
import type { EventItem, Events } from '../ports/index.ts'
import type { Profile } from '../profiles/index.ts'
import { type Args, argumentsOfJson } from '../routes/arguments.ts'
import { invoke } from '../routes/invoke.ts'
import type { SubscriberConnection } from '../routes/route.ts'
import { type Reply, type ResultJson, resultReply } from './envelope.ts'
import { type EventFrames, heightOfEvent } from './event-frame.ts'
import { createFrameWriter, type FrameWriter } from './frame-writer.ts'
import { RATE_LIMITED } from './rate-limit.ts'
import { type Resumed, resume } from './resume.ts'
import { callContext, type RpcService } from './service.ts'

/** A connection from which nothing comes for this long is ended. */
export const READ_WAIT_MS = 30_000
/** Pings are sent this often. */
export const PING_PERIOD_MS = (READ_WAIT_MS * 9) / 10
/** Calls that may wait while one is answered, in bytes; more stop the reading. */
const MAX_WAITING_BYTES = 64 * 1024
/** What a call that waits costs beside its bytes. */
const CALL_OVERHEAD = 64
/** Bytes that may wait for a client to read them; more stop the answering of its calls. */
const MAX_UNREAD_BYTES = 1024 * 1024
/** The code of a close for a client that should come again later. */
const TRY_AGAIN_LATER = 1013
/** `readyState` of a connection on which nothing was said about its end. */
const OPEN = 1

const SLOW = 'client is not pulling messages fast enough'
/** The code in the message of a connection that held too many bytes. */
const OVERFLOW = 'EVENTS_OVERFLOW'

/** One WebSocket: calls are answered one after the other, events are sent between them. */
export class RpcWebSocket implements SubscriberConnection {
  readonly #socket: WebSocket
  readonly #writer: FrameWriter
  readonly #service: RpcService
  readonly #frames: EventFrames
  readonly #remoteAddress: string
  readonly #abort = new AbortController()
  readonly #waiting: Binary[] = []
  #waitingBytes = 0
  #busy = false
  #closed = false
  #subscriptions = 0
  /** Messages handed to the socket that it has not written yet. */
  #unsent = 0
  #lastHeard: number
  /** Of the last event that was written; 0 before the first that has one. */
  #lastHeight = 0
  #ping: Timer | undefined
  /** Who waits to send more; at most one for each subscription. */
  readonly #onDrained: ((open: boolean) => void)[] = []

  constructor(
    socket: WebSocket,
    service: RpcService,
    caller: { readonly frames: EventFrames; readonly remoteAddress: string; readonly connection: Duplex },
  ) {
    this.#socket = socket
    this.#writer = createFrameWriter(caller.connection)
    this.#service = service
    this.#frames = caller.frames
    this.#remoteAddress = caller.remoteAddress
    this.#lastHeard = service.clock.monotonic()
    socket.on('message', this.#onMessage)
    socket.on('pong', this.#onAlive)
    socket.on('ping', this.#onAlive)
    socket.on('close', this.#onClose)
    socket.on('error', () => undefined)
    this.#schedulePing()
  }

  /** Says good-bye and ends the connection. */
  close(): void {
    this.#socket.close(1001)
  }

  destroy(): void {
    this.#socket.terminate()
  }

  subscribe(query: string, requestId: string, after?: number): void {
    const past = after === undefined ? undefined : this.#run(() => this.#resumed(query, requestId, after))
    this.#run(() =>
      this.#events().subscribe({
        subscriber: this.#remoteAddress,
        query,
        capacity: this.#service.options.subscriptionBufferSize,
        onItem: (item) => {
          if (past === undefined || past.isLive()) this.#sendEvent(item, requestId, query)
        },
        onCancelled: (reason) => {
          this.#subscriptions--
          this.#sendCancelled(requestId, reason)
        },
        onEnded: () => past?.stop(),
      }),
    )
    this.#subscriptions++
    past?.start()
  }

  /** What was missed comes first, at the pace of the client; what happens meanwhile is in the stores by then. */
  #resumed(query: string, requestId: string, after: number): Resumed {
    const { history } = this.#events()
    if (history === undefined) throw refused('events are not kept, subscriptions cannot be resumed')
    const options = {
      query,
      after,
      take: (item: EventItem): boolean | Promise<boolean> => {
        this.#deliver(item, requestId, query)
        return this.#isAhead() ? this.#drain() : true
      },
      onFailed: (error: unknown) => {
        if (this.#cancel(query)) this.#sendCancelled(requestId, messageOf(error))
      },
    }
    return resume(options, { history, clock: this.#service.clock })
  }

  unsubscribe(query: string): void {
    this.#run(() => this.#events().unsubscribe(this.#remoteAddress, query))
    this.#subscriptions--
  }

  unsubscribeAll(): void {
    this.#events().unsubscribeAll(this.#remoteAddress)
    this.#subscriptions = 0
  }

  #events(): Events {
    return this.#service.ports.events as Events
  }

  /** A query that does not parse is told with a prefix. */
  #run<T>(action: () => T): T {
    try {
      return action()
    } catch (error) {
      const message = messageOf(error)
      throw message.startsWith('offset ') ? refused(`failed to parse query: ${message}`) : error
    }
  }

  #schedulePing(): void {
    this.#ping = this.#service.clock.after(PING_PERIOD_MS, () => {
      const silent = this.#service.clock.monotonic() - this.#lastHeard
      if (silent > READ_WAIT_MS) {
        this.#socket.terminate()
        return
      }
      this.#socket.ping()
      this.#schedulePing()
    })
  }

  #onAlive = (): void => {
    this.#lastHeard = this.#service.clock.monotonic()
  }

  #onClose = (): void => {
    this.#closed = true
    this.#ping?.cancel()
    this.#waiting.length = 0
    for (const go of this.#onDrained.splice(0)) go(false)
    this.#abort.abort(new Error('context canceled'))
    if (this.#subscriptions > 0) {
      try {
        this.#events().unsubscribeAll(this.#remoteAddress)
      } catch {
        // The bus had ended them already.
      }
    }
  }

  #onMessage = (data: unknown): void => {
    this.#onAlive()
    const text = binaryOf(data as Uint8Array)
    this.#service.meter?.received(text.length)
    this.#waiting.push(text)
    this.#waitingBytes += text.length + CALL_OVERHEAD
    if (!this.#busy) this.#next()
    if (this.#waitingBytes > MAX_WAITING_BYTES && !this.#socket.isPaused) this.#socket.pause()
  }

  /** Answers what waits, in order, one after the other, for as long as the client reads. */
  #next(): void {
    while (!this.#closed && this.#socket.bufferedAmount <= MAX_UNREAD_BYTES) {
      const text = this.#waiting.shift()
      if (text === undefined) return
      this.#waitingBytes -= text.length + CALL_OVERHEAD
      const reply = this.#answer(text)
      if (reply instanceof Promise) {
        this.#busy = true
        reply.then(this.#resume, (error: unknown) => this.#resume(panicReply(this.#service.profile, error)))
        return
      }
      if (reply !== undefined) this.#send(reply)
    }
  }

  #resume = (reply: Reply | undefined): void => {
    if (this.#closed) return
    if (reply !== undefined) this.#send(reply)
    this.#busy = false
    this.#goOn()
  }

  #goOn(): void {
    this.#next()
    if (this.#socket.isPaused && this.#waitingBytes <= MAX_WAITING_BYTES / 2) this.#socket.resume()
  }

  #answer(text: Binary): Reply | undefined | Promise<Reply | undefined> {
    let request: RpcRequest
    try {
      request = commonRequestOf(text) ?? requestOf(scanFirst(text))
    } catch (error) {
      return this.#service.profile.errorReply(undefined, 'parse', `error unmarshaling request: ${messageOf(error)}`)
    }
    if (request.id === undefined) return undefined
    return this.#call(request, request.id)
  }

  #call(request: RpcRequest, id: string): Reply | Promise<Reply> {
    const service = this.#service
    const { profile, cache } = service
    if (service.rateLimit?.take(this.#remoteAddress, [request.method]) === false)
      return profile.errorReply(id, 'server', RATE_LIMITED)
    const route = service.routes.get(request.method)
    if (route === undefined) return profile.errorReply(id, 'method')
    let args: Args
    try {
      args = argumentsOfJson(route, request.params, service.options.strict)
    } catch (error) {
      if (isPanic(error)) return panicReply(profile, error)
      return profile.errorReply(id, 'internal', `error converting json params to arguments: ${messageOf(error)}`)
    }
    const caller = { remoteAddress: this.#remoteAddress, signal: () => this.#abort.signal, connection: this }
    const finish = (result: ResultJson): Reply => resultReply(id, result)
    const fail = (error: unknown): Reply =>
      isPanic(error) ? panicReply(profile, error) : profile.errorReply(id, 'internal', messageOf(error))
    try {
      const result = invoke(route, args, { context: callContext(service, caller, id), cache, profile })
      return result instanceof Promise ? result.then(finish, fail) : finish(result)
    } catch (error) {
      return fail(error)
    }
  }

  #onSent = (): void => {
    this.#unsent--
    if (this.#onDrained.length > 0 && !this.#isAhead()) for (const go of this.#onDrained.splice(0)) go(!this.#closed)
    if (this.#waiting.length === 0 || this.#busy || this.#closed) return
    // Its pongs may wait behind calls that are not read: it is there, since it takes what is written.
    this.#onAlive()
    this.#goOn()
  }

  /** Past events do not fill the room of those that happen. */
  #isAhead(): boolean {
    const { websocketWriteBufferSize, maxClientBytes } = this.#service.options
    return this.#unsent >= websocketWriteBufferSize / 2 || this.#socket.bufferedAmount > maxClientBytes / 4
  }

  /** False when the connection is closed. */
  #drain(): Promise<boolean> {
    return new Promise((resolve) => this.#onDrained.push(resolve))
  }

  #write(frame: string | Uint8Array): void {
    if (this.#socket.readyState !== OPEN) return
    this.#unsent++
    this.#service.meter?.sent(typeof frame === 'string' ? Buffer.byteLength(frame) : frame.length)
    this.#writer.write(frame, this.#onSent)
  }

  /** Shared by all who get the same. */
  #writeFrame(frame: Uint8Array): void {
    if (this.#socket.readyState !== OPEN) return
    this.#unsent++
    this.#service.meter?.sent(frame.length)
    this.#writer.writeFrame(frame, this.#onSent)
  }

  #send(reply: Reply): void {
    const [first] = reply
    if (reply.length === 1 && first !== undefined) this.#write(first)
    else this.#write(Buffer.concat(reply.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))))
  }

  #isSlow(): boolean {
    const { websocketWriteBufferSize, subscriptionBufferSize } = this.#service.options
    return this.#unsent >= websocketWriteBufferSize + subscriptionBufferSize || this.#isOverBudget()
  }

  #isOverBudget(): boolean {
    return this.#socket.bufferedAmount > this.#service.options.maxClientBytes
  }

  /** Ends a connection that holds too much: what it was given still comes, then up to where that goes. */
  #overflow(requestId: string): void {
    this.#service.meter?.dropped()
    this.#sendCancelled(requestId, `${SLOW}; ${OVERFLOW}: last delivered height ${this.#lastHeight}`)
    this.#socket.close(TRY_AGAIN_LATER)
    try {
      this.unsubscribeAll()
    } catch {
      // The bus had ended them already.
    }
  }

  #deliver(item: EventItem, requestId: string, query: string): void {
    this.#writeFrame(this.#frames.frame(item, requestId, query))
    this.#service.meter?.delivered()
    this.#lastHeight = heightOfEvent(item.data) ?? this.#lastHeight
  }

  /** False if it had ended already. */
  #cancel(query: string): boolean {
    try {
      this.unsubscribe(query)
      return true
    } catch {
      return false
    }
  }

  #sendEvent(item: EventItem, requestId: string, query: string): void {
    if (this.#closed || this.#socket.readyState !== OPEN) return
    if (!this.#isSlow()) {
      this.#deliver(item, requestId, query)
      return
    }
    if (!this.#service.options.strict && this.#isOverBudget()) {
      this.#overflow(requestId)
      return
    }
    if (!this.#cancel(query)) return
    this.#service.meter?.dropped()
    this.#sendCancelled(requestId, this.#service.options.closeOnSlowClient ? 'slow client' : SLOW)
  }

  #sendCancelled(requestId: string, reason: string): void {
    this.#send(this.#service.profile.errorReply(requestId, 'server', `subscription was canceled (reason: ${reason})`))
  }
}

/** The reference's answer after a crash of its handler. */
function panicReply({ errorReply, noId }: Profile, error: unknown): Reply {
  const message = messageOf(error)
  return errorReply(noId, 'internal', message.startsWith('reflect:') ? `WSJSONRPC: ${message}` : message)
}
