import type { EventData } from '@org/types'
import { stringifyJson } from '@org/types/schema'
import type { Profile } from '../call/profile.ts'
import type { EventItem, Ports } from '../ports/index.ts'
import { type EventFrame, eventFrame } from './frame-bundle.ts'

/** Makes the frames of events. The JSON of an event is made and encoded once, and all subscriptions share it. */
export interface EventFrames {
  /** Returns the beginning of each message of one subscription, up to the event. */
  readonly before: (requestId: string, query: string) => string
  /**
   * Returns the WebSocket frame of a message with an event. The parameter `before` is the beginning of the message, and
   * is a result of the method `before`.
   */
  readonly frame: (item: EventItem, before: string) => EventFrame
  /**
   * Returns the WebSocket frame of a message with a stored event. Unlike the method `frame`, does not keep the frame in
   * memory. A stored event stays in memory after it was sent, and kept frames would stay as long as the event. Each
   * subscription could add a frame with a long text `before`.
   */
  readonly storedFrame: (item: EventItem, before: string) => EventFrame
  /** Returns the result of {@link members}, encoded as bytes. */
  readonly memberBytes: (item: EventItem) => Uint8Array
  /** The members of an event, `"data":…,"events":…`. */
  readonly members: (item: EventItem) => string
}

/** The frames of one event, for all of its subscribers. */
interface FramesOfItem {
  readonly body: Uint8Array
  readonly byBeginning: Map<string, EventFrame>
}

const encoder = new TextEncoder()

/** Returns the height of an event; `undefined` for an event about changes of validators, which contains no height. */
export function heightOfEvent(data: EventData): number | undefined {
  switch (data.type) {
    case 'NewBlock':
      return data.block.header.height
    case 'NewBlockHeader':
      return data.header.height
    case 'Tx':
      return data.txResult.height
    case 'Vote':
      return data.vote.height
    case 'ValidatorSetUpdates':
      return undefined
    default:
      return data.height
  }
}

export function createEventFrames(profile: Profile, ports: Ports): EventFrames {
  const bodies = new WeakMap<EventItem, string>()
  const encoded = new WeakMap<EventItem, Uint8Array>()
  const frames = new WeakMap<EventItem, FramesOfItem>()

  function members(item: EventItem): string {
    let body = bodies.get(item)
    if (body === undefined) {
      body = profile.eventText(item, ports)
      bodies.set(item, body)
    }
    return body
  }

  /** Returns the members of an event. Does not keep the text in memory, because the callers keep the encoded bytes. */
  const membersOnce = (item: EventItem): string => bodies.get(item) ?? profile.eventText(item, ports)

  function framesOf(item: EventItem): FramesOfItem {
    let of = frames.get(item)
    if (of === undefined) {
      of = { body: encoder.encode(`${membersOnce(item)}}}`), byBeginning: new Map() }
      frames.set(item, of)
    }
    return of
  }

  function frame(item: EventItem, before: string): EventFrame {
    const of = framesOf(item)
    let made = of.byBeginning.get(before)
    if (made === undefined) {
      made = eventFrame(encoder.encode(before), of.body)
      of.byBeginning.set(before, made)
    }
    return made
  }

  function memberBytes(item: EventItem): Uint8Array {
    let bytes = encoded.get(item)
    if (bytes === undefined) {
      bytes = encoder.encode(membersOnce(item))
      encoded.set(item, bytes)
    }
    return bytes
  }

  return {
    members,
    before: (requestId, query) => `{"jsonrpc":"2.0","id":${requestId},"result":{"query":${stringifyJson(query)},`,
    frame,
    storedFrame: (item, before) => eventFrame(encoder.encode(before), framesOf(item).body),
    memberBytes,
  }
}
