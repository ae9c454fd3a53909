import type { AppQuery } from './app.ts'
import type { BlockReader, GenesisReader, StateReader } from './chain.ts'
import type { ConsensusView, EvidenceSubmission, ValidatorIdentity } from './consensus.ts'
import type { DevnetControl } from './devnet.ts'
import type { Events } from './events.ts'
import type { Mempool } from './mempool.ts'
import type { Peers } from './peers.ts'
import type { PriorityWork } from './precedence.ts'
import type { Preparation } from './preparation.ts'
import type { Search } from './search.ts'

/**
 * All parts that the RPC needs from a node. A process that does not have a part leaves it out: an inspector, for
 * example, has no mempool. The operations that need the part then do not exist.
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
  readonly precedence?: PriorityWork
  readonly validator?: ValidatorIdentity
  readonly evidence?: EvidenceSubmission
  /** The progress of a node that has no chain to serve yet. Absent if the node has a chain. */
  readonly preparation?: Preparation
  /** The control of a devnet, a chain for development. Absent on all other chains. */
  readonly devnet?: DevnetControl
}
