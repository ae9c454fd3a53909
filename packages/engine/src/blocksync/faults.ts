/** The codes of verdicts on messages of block sync. */
export const BLOCKSYNC_FAULTS = {
  invalid: 'BLOCKSYNC_INVALID_MESSAGE',
  /** The block is longer than the consensus parameters allow. */
  tooLong: 'BLOCKSYNC_BLOCK_TOO_LONG',
  /** A block that this node did not request from the peer. */
  unsolicited: 'BLOCKSYNC_UNSOLICITED',
  /**
   * The last commit in a block is invalid, so the block is bad, and does not show whether the block before it is good.
   */
  lastCommit: 'BLOCKSYNC_BAD_LAST_COMMIT',
  notNeeded: 'BLOCKSYNC_NOT_NEEDED',
  noRoom: 'BLOCKSYNC_NO_ROOM',
  tooManyRequests: 'BLOCKSYNC_TOO_MANY_REQUESTS',
} as const

/**
 * For each reason why the pool drops a peer: the code and the text of the error. The texts of `silent` and `slow` are
 * the reference's.
 */
export const DROPPED_PEERS = {
  silent: { code: 'BLOCKSYNC_PEER_SILENT', reason: 'peer did not send us anything' },
  slow: { code: 'BLOCKSYNC_PEER_SLOW', reason: 'peer is not sending us data fast enough' },
  lacksBlocks: { code: 'BLOCKSYNC_PEER_LACKS_BLOCKS', reason: 'peer does not have the blocks that it claims' },
} as const
