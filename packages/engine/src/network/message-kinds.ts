import type { Reactor } from '@org/p2p'

/** The reference's names of the messages of each protocol, in the order of their field numbers, from 1. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  consensus: [
    'NewRoundStep',
    'NewValidBlock',
    'Proposal',
    'ProposalPOL',
    'BlockPart',
    'Vote',
    'HasVote',
    'VoteSetMaj23',
    'VoteSetBits',
  ],
  mempool: ['Txs'],
  blocksync: ['BlockRequest', 'NoBlockResponse', 'BlockResponse', 'StatusRequest', 'StatusResponse'],
  statesync: ['SnapshotsRequest', 'SnapshotsResponse', 'ChunkRequest', 'ChunkResponse'],
}

/** Adds the names of a reactor's messages, for the metrics. */
export function withKinds(reactor: Reactor): Reactor {
  // A list of evidence has only one kind: its first field is the list.
  if (reactor.name === 'evidence') return { ...reactor, kinds: [undefined, 'types_EvidenceList'] }
  const kinds = KINDS[reactor.name]
  return kinds === undefined
    ? reactor
    : { ...reactor, kinds: [undefined, ...kinds.map((kind) => `${reactor.name}_${kind}`)] }
}
