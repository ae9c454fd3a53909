/** `@org/engine`: what a program needs to run a node. */

export type { SyncProgress } from '../blocksync/index.ts'
export { DEFAULT_DRIVER_OPTIONS, roundStateSimpleToJson, roundStateToJson } from '../consensus/driver/index.ts'
export {
  BOOTSTRAP_ERRORS,
  BootstrapError,
  type BootstrapErrorCode,
  HANDSHAKE_ERRORS,
  HandshakeError,
  type HandshakeErrorCode,
  type ProvenBlock,
  type ProvenBlocks,
  stateFromBlocks,
} from '../execution/index.ts'
export {
  DEFAULT_MEMPOOL_OPTIONS,
  MEMPOOL_ERRORS,
  type Mempool,
  MempoolError,
  type MempoolErrorCode,
  type MempoolOptions,
  type TxIntake,
  type TxMemoryControl,
  type TxView,
} from '../mempool/index.ts'
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
  type RestoreFirst,
  type RestoreParts,
  type RestoreStart,
  type SignatureWork,
  type Stores,
  type TxWaiters,
} from '../node/index.ts'
export {
  type AdvertisedNode,
  type JoiningPeers,
  type JoinNetworkModules,
  type JoinNetworkOptions,
  joinNetwork,
  type OpenedP2p,
  type OpenP2pModules,
  type OpenP2pOptions,
  openP2p,
  type P2pEngine,
  type P2pOptions,
} from '../p2p/index.ts'
export {
  createSignatureThread,
  type ExactChecks,
  type SignatureChecker,
  type SignatureThread,
} from '../signatures/index.ts'
export {
  BACKFILL_ERRORS,
  BackfillError,
  type BackfillErrorCode,
  type HeaderRequest,
  type HeaderServer,
} from '../statesync/backfill/index.ts'
export {
  agreedParams,
  type BlockSource,
  checkPriorities,
  createStateProvider,
  type ParamsSource,
  PROVIDER_ERRORS,
  ProviderError,
  type ProviderErrorCode,
  type StateProviderModules,
} from '../statesync/provider/index.ts'
export {
  DEFAULT_RESTORE_OPTIONS,
  RESTORE_ERRORS,
  type Restored,
  RestoreError,
  type RestoreErrorCode,
  type RestoreOptions,
  type RestoreProgress,
  type SnapshotPoolOptions,
  type StateProvider,
} from '../statesync/restore/index.ts'
