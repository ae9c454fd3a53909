import type { Sizes } from '@org/runtime'
import {
  ignore,
  MESSAGE_FAULTS,
  type Peer,
  type Reactor,
  type ReactorChannel,
  reject,
  rejectError,
  type Verdict,
} from '../reactor/index.ts'

/**
 * A decoded message: its kind in `case`, and its content in `value`. The schemas of `@org/types` decode a protobuf
 * oneof to an object of this form.
 */
export interface AnyMessage {
  readonly case: string
  readonly value: unknown
}

type Answer = Verdict | Promise<Verdict>

/** A channel of a protocol, with the kinds of the messages that it carries. */
export interface ProtocolChannel<Kind extends string> {
  readonly id: number
  /** The weight of the channel: channels share the connection's capacity in proportion to their priorities. */
  readonly priority: number
  /** The maximum number of messages that may wait to be sent to one peer. */
  readonly capacity: number
  /**
   * The maximum number of bytes of a message that this node accepts. It may depend on the data that this node requested
   * from the peer.
   */
  readonly maxBytes: number | ((peerId: string) => number)
  readonly carries: readonly Kind[]
}

/**
 * One handler for each kind of message. If a handler returns a promise, the next message of the peer is handled only
 * after this promise resolves.
 */
export type ProtocolHandlers<Message extends AnyMessage, From> = {
  readonly [Kind in Message['case']]: (
    from: From,
    value: Extract<Message, { readonly case: Kind }>['value'],
    message: Extract<Message, { readonly case: Kind }>,
  ) => Answer
}

/**
 * The parts of a protocol. `From` is the type of the value that this node keeps for a peer. `refuse`, `decode` and the
 * handlers may throw an error about a message. Then the message is rejected with the code of the error.
 */
export interface ProtocolDefinition<Message extends AnyMessage, From> {
  readonly name: string
  readonly channels: readonly ProtocolChannel<Message['case']>[]
  /**
   * The labels of the kinds of messages in metrics. The index in the list is the number of the field that contains a
   * message of this kind. See {@link kindLabels}.
   */
  readonly labels: readonly (string | undefined)[]
  /**
   * Called before a message is decoded. Returns a verdict if the bytes of the message are enough for a decision;
   * otherwise `undefined`, and the message is decoded. Default: every message is decoded.
   */
  readonly refuse?: (from: From, bytes: Uint8Array) => Verdict | undefined
  /**
   * Decodes a message. The time and the memory that this takes must be limited by the number of bytes. Returns
   * `undefined` if the kind is unknown.
   */
  readonly decode: (bytes: Uint8Array) => Message | undefined
  readonly handlers: ProtocolHandlers<Message, From>
  /** Creates the value that is kept for a peer, before its first message. */
  readonly join: (peer: Peer) => From
  /**
   * Called after a peer was added to {@link Protocol.peers}, so that the protocol can send its first messages to the
   * peer.
   */
  readonly joined?: (from: From) => void
  /**
   * Called after a peer was removed from {@link Protocol.peers}, so that the protocol can end its work for the peer.
   */
  readonly left?: (from: From) => void
  /**
   * Called with the verdict that rejects a message. Returns the verdict that the switch receives instead. If a protocol
   * does not define this function, the switch receives the verdict unchanged.
   */
  readonly onReject?: (from: From, verdict: Extract<Verdict, { type: 'reject' }>) => Verdict
  /** Returns the sizes of the data that the protocol keeps, for example for its peers. */
  readonly sizes?: () => Sizes
}

/** A protocol as a reactor of the switch, with the value that it keeps for each peer. */
export interface Protocol<From> extends Reactor {
  readonly peers: ReadonlyMap<string, From>
}

/**
 * Creates a protocol from its definition. It decodes messages, catches errors, passes each message to the handler of
 * its kind, and keeps one value for each peer.
 */
export function defineProtocol<Message extends AnyMessage, From>(
  definition: ProtocolDefinition<Message, From>,
): Protocol<From> {
  const { name, channels, labels, refuse, decode, handlers, join, joined, left, onReject, sizes } = definition
  const peers = new Map<string, From>()
  const carried = new Map(channels.map(({ id, carries }) => [id, new Set<string>(carries)] as const))

  function handle(from: From, channel: number, bytes: Uint8Array): Answer {
    const refusal = refuse?.(from, bytes)
    if (refusal !== undefined) return refusal
    const message = decode(bytes)
    if (message === undefined) return reject(MESSAGE_FAULTS.unknownKind, `a ${name} message of an unknown kind`)
    if (carried.get(channel)?.has(message.case) !== true)
      return ignore(MESSAGE_FAULTS.otherChannel, `another channel carries messages of the kind ${message.case}`)
    const verb = handlers[message.case as Message['case']] as (from: From, value: unknown, message: Message) => Answer
    return verb(from, message.value, message)
  }

  /** Calls `onReject` if the message was rejected, and returns the final verdict. */
  function finish(from: From, verdict: Verdict): Verdict {
    return verdict.type === 'reject' && onReject !== undefined ? onReject(from, verdict) : verdict
  }

  function receive(peer: Peer, channel: number, bytes: Uint8Array): Answer {
    const from = peers.get(peer.id)
    if (from === undefined) return ignore(MESSAGE_FAULTS.gone, 'the peer disconnected')
    try {
      const answer = handle(from, channel, bytes)
      if (!(answer instanceof Promise)) return finish(from, answer)
      return answer.catch(rejectError).then((verdict) => finish(from, verdict))
    } catch (error) {
      return finish(from, rejectError(error))
    }
  }

  return {
    name,
    kinds: labels,
    channels: channels.map(reactorChannel),
    peers,
    addPeer: (peer) => {
      const from = join(peer)
      peers.set(peer.id, from)
      joined?.(from)
    },
    removePeer: ({ id }) => {
      const from = peers.get(id)
      if (from === undefined) return
      peers.delete(id)
      left?.(from)
    },
    sizes: () => ({ ...sizes?.(), peers: peers.size }),
    receive,
  }
}

function reactorChannel({ id, priority, capacity, maxBytes }: ProtocolChannel<string>): ReactorChannel {
  return { id, priority, sendQueueCapacity: capacity, receiveMessageCapacity: maxBytes }
}
