/** Peers whose faults are remembered. */
export const LRU_SIZE = 10_000
/** Connections that may be in their handshake at once; further ones are closed. */
export const MAX_HANDSHAKES = 64
