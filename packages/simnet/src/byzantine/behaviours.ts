/** The ways in which a dishonest validator may break the rules of consensus. */
export const BEHAVIOURS = [
  /**
   * Sends two contradicting votes at the same height and round. Each peer receives both votes: half of the peers
   * receive the false vote first, and the other half receive it last.
   */
  'equivocate',
  /** Does not send its votes and proposals to some peers. */
  'withhold',
  /** Proposes two blocks. */
  'doublePropose',
  'invalidBlock',
  /** Ignores the block on which it is locked. */
  'amnesia',
  /** Claims a proof of lock that does not exist. */
  'wrongPol',
  /** Votes in rounds that are over. */
  'staleRounds',
  'invalidExtension',
  /** Votes in rounds that have not begun yet. */
  'futureVotes',
  /** Sends about half of its consensus messages twice. */
  'repeat',
] as const

/**
 * Further dishonest behaviours. Only tests and networks that were written by hand have them. Networks that are made
 * from seeds never have them: with more behaviours to choose from, each seed would give another network than before.
 */
export const FORGERIES = [
  /** Sends some peers its votes with an invalid signature. */
  'wrongSignature',
  'wrongExtensionSignature',
  'noExtensionSignature',
  /** Proposes blocks whose time is not the median of the last commit. */
  'wrongTime',
  /** Proposes blocks with an invalid signature in the last commit. */
  'wrongLastCommit',
  /** Proposes blocks whose header has a wrong hash of the validators. */
  'wrongValidators',
  /** Proposes blocks with an unknown proposer. */
  'wrongProposer',
  /** Proposes blocks with more empty transactions than a node accepts in a proposal. */
  'emptyTransactions',
  /** Proposes one block in two encodings, which have the same block hash and different sets of parts. */
  'otherEncoding',
] as const

/** Dishonest messages outside of consensus. Only networks that were written by hand have these behaviours. */
export const EXTRA_MESSAGES = [
  'askTooOften',
  /** Sends addresses without a request. */
  'unaskedAddresses',
  /** Sends invalid addresses. */
  'badAddresses',
  /**
   * Sends addresses at which no node listens. Also sends addresses of nodes together with ids that these nodes do not
   * have.
   */
  'falseAddresses',
  /** Requests many snapshots and chunks at once. */
  'askSnapshots',
  'badSnapshotQuestion',
] as const

/**
 * Floods: the node sends at once many messages that are cheap to make. The node needs no validator key for them. The
 * scenarios that are made from a seed have none of these behaviours. Only scenarios that were written by hand have
 * them.
 */
export const FLOODS = [
  /** Votes of existing validators, with forged signatures. */
  'floodForgedVotes',
  'floodForgedProposals',
  /** Forged votes for rounds that have not begun yet. Each vote is for a different round. */
  'floodRounds',
  /** Votes of a height that is far ahead. The receiver does not verify such votes. */
  'floodFarVotes',
  /** Votes with an extension so long that the message has the maximum size. */
  'floodLongVotes',
  /** Many small transactions in one message. */
  'floodTransactions',
  /** Answers with more addresses than any honest node sends. */
  'floodAddresses',
  /** Evidence of votes that no validator signed. */
  'floodEvidence',
] as const

/**
 * The kinds of false answers in block sync. The scenarios that are made from a seed have none of these behaviours. Only
 * scenarios that were written by hand have them.
 */
export const SYNC_LIES = [
  /** Claims to have the blocks of all heights, and answers no request for a block. */
  'claimEveryHeight',
  /**
   * Claims to have the blocks of all heights. Sends the blocks that exist, and does not answer requests for other
   * blocks.
   */
  'claimFutureHeights',
  /** Sends blocks with a bad commit, with other transactions, or of another chain. */
  'badBlocks',
  /**
   * Sends blocks that take few bytes on the wire and many in memory. Does not send the two blocks that the receiver
   * must apply first, so the receiver must keep the other blocks in memory.
   */
  'largeBlocks',
] as const

/**
 * The kinds of false answers to nodes that begin with a snapshot. `makeJoinScenario` selects them; `makeScenario` does
 * not.
 */
export const SNAPSHOT_LIES = [
  /** Offers and sends snapshots of a false state. They contain transactions that the chain does not have. */
  'falseSnapshots',
  /** Offers snapshots of heights that the chain has not reached. */
  'futureSnapshots',
  /** Offers snapshots of an unknown format, with very many chunks, or with a wrong hash. */
  'oddSnapshots',
  /** Sends chunks with a changed byte. */
  'badChunks',
  /** Sends no chunk. */
  'noChunks',
  /** Reports that it has no chunk. */
  'missingChunks',
  /** Sends chunks without a request, and each snapshot many times. */
  'floodSnapshots',
] as const

/** A way in which a faulty validator breaks the rules. */
export type Behaviour =
  | (typeof BEHAVIOURS)[number]
  | (typeof FORGERIES)[number]
  | (typeof EXTRA_MESSAGES)[number]
  | (typeof FLOODS)[number]
  | (typeof SYNC_LIES)[number]
  | (typeof SNAPSHOT_LIES)[number]
