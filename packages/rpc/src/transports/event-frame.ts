import type { EventData } from '@org/types/events'
import { stringifyJson } from '@org/types/schema'
import type { EventItem, Ports } from '../ports/index.ts'
import type { Profile } from '../profiles/index.ts'

/** Makes the frames of events: the JSON of an event once, and one buffer for all subscriptions that look the same. */
export interface EventFrames {
  readonly frame: (item: EventItem, requestId: string, query: string) => Uint8Array
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

  function bodyOf(item: EventItem): string {
    let body = bodies.get(item)
    if (body === undefined) {
      body = `${profile.eventText(item, ports)}}}`
      bodies.set(item, body)
    }
    return body
  }

  return {
    frame: (item, requestId, query) => {
      const prefix = `{"jsonrpc":"2.0","id":${requestId},"result":{"query":${stringifyJson(query)},`
      let made = frames.get(item)
      if (made === undefined) {
        made = new Map()
        frames.set(item, made)
      }
      let frame = made.get(prefix)
      if (frame === undefined) {
        frame = encoder.encode(prefix + bodyOf(item))
        made.set(prefix, frame)
      }
      return frame
    },
  }
}
