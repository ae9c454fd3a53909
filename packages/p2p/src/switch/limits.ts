/** The maximum number of peers for which lost points and bans are remembered. */
export const LRU_SIZE = 10_000
/**
 * The maximum number of connections whose handshake is not finished: in total, and for one IP address. Further
 * connections are closed.
 */
export const MAX_HANDSHAKES = 64
export const MAX_HANDSHAKES_PER_IP = 16
