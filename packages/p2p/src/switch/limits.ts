/** The maximum number of peers for which lost points and bans are remembered. */
export const LRU_SIZE = 10_000
/** The maximum number of inbound connections whose handshake is not finished. A further one replaces another one. */
export const MAX_HANDSHAKES = 64
/** The maximum number of these connections for one IP address. Further connections are closed. */
export const MAX_HANDSHAKES_PER_IP = 16
