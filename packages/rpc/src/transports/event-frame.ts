import type { EventData } from '@org/types/events'
import { stringifyJson } from '@org/types/schema'
import type { EventItem, Ports } from '../ports/index.ts'
import type { Profile } from '../profiles/index.ts'
import { frameOf } from './frame-writer.ts'

/** Makes the frames of events: the JSON of an event once, and one buffer for all that look the same. */
export interface EventFrames {
  /** The message of a subscription. */
  readonly message: (item: EventItem, requestId: string, query: string) => string
  /** The same as a WebSocket's frame. */
  readonly frame: (item: EventItem, requestId: string, query: string) => Uint8Array
  /** The members of an event between texts of another kind. */
  readonly wrap: (item: EventItem, before: string, after: string) => Uint8Array
  /** The members of an event, `"data":…,"events":…`. */
  readonly members: (item: EventItem) => string
}

const encoder = new TextEncoder()

/** The height that an event is about; `undefined` for changes of validators, which do not say it. */
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
  const frames = new WeakMap<EventItem, Map<string, Uint8Array>>()

  function members(item: EventItem): string {
    let body = bodies.get(item)
    if (body === undefined) {
      body = profile.eventText(item, ports)
      bodies.set(item, body)
    }
    return body
  }

  function kept(item: EventItem, before: string, make: () => Uint8Array): Uint8Array {
    let made = frames.get(item)
    if (made === undefined) {
      made = new Map()
      frames.set(item, made)
    }
    let frame = made.get(before)
    if (frame === undefined) {
      frame = make()
      made.set(before, frame)
    }
    return frame
  }

  const prefix = (requestId: string, query: string): string =>
    `{"jsonrpc":"2.0","id":${requestId},"result":{"query":${stringifyJson(query)},`

  return {
    members,
    message: (item, requestId, query) => `${prefix(requestId, query)}${members(item)}}}`,
    frame: (item, requestId, query) => {
      const before = prefix(requestId, query)
      return kept(item, before, () => frameOf(encoder.encode(`${before}${members(item)}}}`)))
    },
    wrap: (item, before, after) => kept(item, before, () => encoder.encode(before + members(item) + after)),
  }
}
