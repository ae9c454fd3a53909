/** The maximum number of peers whose faults are remembered. */
export const LRU_SIZE = 10_000
/**
 * The maximum number of connections in their handshake: of all addresses, and of one address. Further connections are
 * closed.
 */
export const MAX_HANDSHAKES = 64
export const MAX_HANDSHAKES_PER_IP = 16
