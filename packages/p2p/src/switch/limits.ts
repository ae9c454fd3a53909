/** The maximum number of peers for which lost points and bans are remembered. */
export const LRU_SIZE = 10_000
/** The maximum number of unfinished handshakes of inbound connections. If there are more, an older one is closed. */
export const MAX_HANDSHAKES = 64
/** The maximum number of unfinished handshakes with one IP address. Further inbound connections are closed. */
export const MAX_HANDSHAKES_PER_IP = 16
/** The maximum number of host names that are resolved at the same time, because peers reported them as their own. */
export const MAX_LOOKUPS = 64
