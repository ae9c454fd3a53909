import type { AppQuery } from './app.ts'
import type { BlockReader, GenesisReader, StateReader } from './chain.ts'
import type { ConsensusView, EvidenceSubmission, ValidatorIdentity } from './consensus.ts'
import type { DevnetControl } from './devnet.ts'
import type { Events } from './events.ts'
import type { Mempool } from './mempool.ts'
import type { Peers } from './peers.ts'
import type { Precedence } from './precedence.ts'
import type { Preparation } from './preparation.ts'
import type { Search } from './search.ts'

/**
 * Everything that the RPC needs from a node. A process without one of the parts (an inspector has no mempool) leaves
 * it out: its operations then do not exist.
 */
export interface Ports {
  readonly blocks: BlockReader
  readonly state: StateReader
  readonly genesis?: GenesisReader
  readonly search: Search
  readonly app?: AppQuery
  readonly mempool?: Mempool
  readonly events?: Events
  readonly peers?: Peers
  readonly consensus?: ConsensusView
  readonly precedence?: Precedence
  readonly validator?: ValidatorIdentity
  readonly evidence?: EvidenceSubmission
  /** Present only before the node has a chain to serve. */
  readonly preparation?: Preparation
  /** Present only on a chain for development. */
  readonly devnet?: DevnetControl
}
