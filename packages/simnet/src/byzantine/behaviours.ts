/** What a validator that does not keep the rules may do. */
export const BEHAVIOURS = [
  /** Votes for two things, and tells some peers the one and some the other. */
  'equivocate',
  /** Keeps its votes and proposals to itself, from some. */
  'withhold',
  /** Proposes two blocks. */
  'doublePropose',
  'invalidBlock',
  /** Forgets what it is locked on. */
  'amnesia',
  /** Claims a proof of lock that there is not. */
  'wrongPol',
  /** Votes in rounds that are over. */
  'staleRounds',
  'invalidExtension',
  /** Votes in rounds that are not open yet. */
  'futureVotes',
  /** Says everything twice. */
  'repeat',
] as const

/** What may be done beside that. Seeds do not choose among these: with them, each would mean another network. */
export const FORGERIES = [
  /** Tells some peers its votes with a signature that is none. */
  'wrongSignature',
  'wrongExtensionSignature',
  'noExtensionSignature',
  /** Proposes blocks of another time than the median of the last commit, … */
  'wrongTime',
  /** … with a signature in the last commit that is none, … */
  'wrongLastCommit',
  /** … of other validators, … */
  'wrongValidators',
  /** … and of a proposer that nobody knows. */
  'wrongProposer',
] as const

/** What is said beside consensus. Seeds do not choose among these either. */
export const PESTERING = [
  'askTooOften',
  /** Tells addresses that nobody asked for, … */
  'unaskedAddresses',
  /** … that are none, … */
  'badAddresses',
  /** … or where nobody is, or somebody else. */
  'falseAddresses',
  /** Asks for snapshots and chunks, many at once. */
  'askSnapshots',
  'badSnapshotQuestion',
] as const

/** Messages that cost the sender little, many at once. The sender needs no validator key. Seeds do not choose among these. */
export const FLOODS = [
  /** Votes of validators that are there, with signatures that are not theirs. */
  'floodForgedVotes',
  'floodForgedProposals',
  /** Such votes, each for another round that is not open yet. */
  'floodRounds',
  /** Votes of a height that is far ahead: nobody verifies them. */
  'floodFarVotes',
  /** Votes whose extension fills the longest message. */
  'floodLongVotes',
  /** Many small transactions in one message. */
  'floodTransactions',
  /** Answers with more addresses than any node tells. */
  'floodAddresses',
  /** Evidence of votes that nobody signed. */
  'floodEvidence',
] as const

/** Lies in block sync. Seeds do not choose among these. */
export const SYNC_LIES = [
  /** Claims every height, and answers no question for a block. */
  'claimEveryHeight',
] as const

export type Behaviour =
  | (typeof BEHAVIOURS)[number]
  | (typeof FORGERIES)[number]
  | (typeof PESTERING)[number]
  | (typeof FLOODS)[number]
  | (typeof SYNC_LIES)[number]
