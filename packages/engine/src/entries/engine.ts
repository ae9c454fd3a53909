/** `@org/engine`: what a program needs to run a node. */
export { DEFAULT_DRIVER_OPTIONS, roundStateSimpleToJson, roundStateToJson } from '../consensus/driver/index.ts'
export { ABCI_VERSION, P2P_PROTOCOL, SOFTWARE_VERSION } from '../execution/index.ts'
export {
  DEFAULT_MEMPOOL_OPTIONS,
  MEMPOOL_ERRORS,
  type Mempool,
  MempoolError,
  type MempoolErrorCode,
  type MempoolOptions,
  type TxIntake,
  type TxRelief,
  type TxView,
} from '../mempool/index.ts'
export {
  type Introduction,
  type NetworkEngine,
  type NetworkOptions,
  type OpenedNetwork,
  type OpenNetworkModules,
  type OpenNetworkOptions,
  openNetwork,
} from '../network/index.ts'
export {
  type BlockMaking,
  type ChainEvents,
  type ChainStart,
  type CommittedChain,
  createEngine,
  type Engine,
  type EngineModules,
  type EngineOptions,
  type GenesisSource,
  type LoadedGenesis,
  loadGenesis,
  NODE_ERRORS,
  NodeError,
  openIndex,
  openStores,
  type Pools,
  type SignatureWork,
  type Stores,
  type TxWaiters,
} from '../node/index.ts'
export type { ExactChecks, SignatureChecker } from '../signatures/index.ts'
