/** Peers whose faults are remembered. */
export const LRU_SIZE = 10_000
/** Connections that may be in their handshake at once, and those of one address among them; further ones are closed. */
export const MAX_HANDSHAKES = 64
export const MAX_HANDSHAKES_PER_IP = 16
