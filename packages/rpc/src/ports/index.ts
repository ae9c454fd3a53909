export type { AppQuery } from './app.ts'
export type { BlockReader, GenesisReader, StateReader } from './chain.ts'
export type { ConsensusView, EvidenceSubmission, PeerConsensusState, ValidatorIdentity } from './consensus.ts'
export type {
  AddedValidator,
  DevnetControl,
  DevnetDelay,
  DevnetHeldTx,
  DevnetInfo,
  DevnetSnapshot,
  DevnetValidator,
  LightClientAttack,
} from './devnet.ts'
export type { CommittedTx, EventHistory, EventItem, Events, SubscribeOptions } from './events.ts'
export type { Mempool, SubmitOptions } from './mempool.ts'
export { NO_DATA } from './no-data.ts'
export type { NodeInfo, PeerInfo, Peers } from './peers.ts'
export type { Ports } from './ports.ts'
export type { PriorityWork } from './precedence.ts'
export type { Preparation } from './preparation.ts'
export { type Hits, QUERY_SYNTAX, type Search, type SearchOptions, type SortOrder } from './search.ts'
