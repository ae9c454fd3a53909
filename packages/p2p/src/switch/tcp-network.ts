import { dialTcp, listenTcp } from '../transport/index.ts'
import type { Network } from './network.ts'

/** Peers over TCP. */
export const tcpNetwork: Network = {
  dial: ({ ip, port }, options) => dialTcp({ host: ip, port }, options),
  listen: listenTcp,
}
