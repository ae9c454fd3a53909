/** The id of the channel of peer exchange. */
export const PEX_CHANNEL = 0x00
/** The maximum number of addresses of one answer, as in the reference. An encoded address takes at most 256 bytes. */
export const MAX_ADDRESSES = 250
export const MAX_MESSAGE_SIZE = 256 * MAX_ADDRESSES
/** The time for which an address or a node is banned, in nanoseconds. */
export const BAN_NS = 24n * 3600n * 1_000_000_000n
