import { dialTcp, listenTcp } from '../transport/index.ts'
import type { StreamFactory } from './stream-factory.ts'

/** The streams between peers over TCP. */
export const tcpStreams: StreamFactory = {
  dial: ({ ip, port }, options) => dialTcp({ host: ip, port }, options),
  listen: listenTcp,
}
