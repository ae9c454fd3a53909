import type { AbciConnections } from '@org/abci'
import type { Clock, Logger, Metrics } from '@org/runtime'
import { addressOf, type PublicKey } from '@org/types/crypto'
import type { GenesisDoc } from '@org/types/genesis'
import type { State } from '@org/types/state'
import { createConsensus, type Consensus } from '../consensus/driver/index.ts'
import { waitsForTxs } from '../consensus/machine/index.ts'
import type { WalStore } from '../consensus/wal/index.ts'
import { createEventBus, type EventBus } from '../events/index.ts'
import { createEvidencePool, DEFAULT_EVIDENCE_OPTIONS, type EvidencePool } from '../evidence/index.ts'
import {
  createBlockExecutor,
  createVerifiedVotes,
  type HandshakeOptions,
  handshake,
  makeGenesisState,
  txPostCheck,
  txPreCheck,
} from '../execution/index.ts'
import { createFloodMempool, createNopMempool, type Mempool } from '../mempool/index.ts'
import type { PrivValidator } from '../privval/index.ts'
import { type BlockStore, createBlockStore, createStateStore, DB_NAMES, type KeyValueStore, type StateStore } from '../store/index.ts'
import { type GenesisSource, loadGenesis } from './load-genesis.ts'
import { openIndex, type Index } from './open-index.ts'
import type { EngineOptions } from './options.ts'
import { checkNotSignedRecently } from './signed-recently.ts'
import { mustWaitForBlocks } from './sync-decision.ts'

export interface EngineModules {
  /** Opens one of the databases, such as `blockstore`. */
  readonly openDatabase: (name: string) => Promise<KeyValueStore>
  readonly genesis: Omit<GenesisSource, 'now'>
  /** Not started yet. */
  readonly abci: AbciConnections
  readonly privval: PrivValidator
  readonly wal: WalStore
  /** Called once, when the chain's name is known. */
  readonly metrics: (chainId: string) => Promise<Metrics>
  readonly clock: Clock
  readonly logger: Logger
  readonly onReplay?: HandshakeOptions['onProgress']
  /** Ends the opening: the wait for an application, or a replay. */
  readonly signal: AbortSignal
}

/** A node without network and RPC. */
export interface Engine {
  readonly genesis: GenesisDoc
  /** The genesis document as it is stored. */
  readonly genesisText: string
  /** After the handshake. */
  readonly initialState: State
  readonly publicKey: PublicKey
  readonly abci: AbciConnections
  readonly blockStore: BlockStore
  readonly stateStore: StateStore
  readonly index: Index
  readonly events: EventBus
  readonly mempool: Mempool
  readonly evidencePool: EvidencePool
  readonly consensus: Consensus
  /** True while blocks of others are waited for. */
  readonly isWaitingForBlocks: () => boolean
  /** Begins to make blocks. */
  readonly start: () => Promise<void>
  /** Also if the application hangs. Idempotent. */
  readonly stop: () => Promise<void>
}

/** An application that hangs is given this long for a call in progress, then its connections are closed. */
const APPLICATION_GRACE_MS = 1_000
