import { eventDataToJson } from '@org/types'
import { stringifyJson } from '@org/types/schema'
import { errorReply, NO_ID } from '../call/envelope.ts'
import type { Profile } from '../call/profile.ts'

/** The profile `v0.38`: the bytes of CometBFT v0.38. */
export const referenceProfile: Profile = {
  name: 'v0.38',
  noId: NO_ID,
  cachesFailures: true,
  resultText: (route, value) => route.result.stringify(value),
  resultPieces: (route, value) => route.pieces?.(value),
  slice: (_route, piece) => piece,
  isPlain: () => true,
  errorReply,
  eventText: ({ data, events }) => {
    const attributes = stringifyJson(events as Parameters<typeof stringifyJson>[0])
    return `"data":${stringifyJson(eventDataToJson(data))},"events":${attributes}`
  },
}
