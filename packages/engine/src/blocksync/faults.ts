/** The codes of verdicts on messages of block sync. */
export const BLOCKSYNC_FAULTS = {
  invalid: 'BLOCKSYNC_INVALID_MESSAGE',
  /** The block is longer than the consensus parameters allow. */
  tooLong: 'BLOCKSYNC_BLOCK_TOO_LONG',
  /** A block that this node did not request from the peer. */
  unsolicited: 'BLOCKSYNC_UNSOLICITED',
  notNeeded: 'BLOCKSYNC_NOT_NEEDED',
  noRoom: 'BLOCKSYNC_NO_ROOM',
  tooManyRequests: 'BLOCKSYNC_TOO_MANY_REQUESTS',
} as const
