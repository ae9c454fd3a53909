import type { AbciConnections } from '@org/abci'
import type { Budget, Metrics, Sizes } from '@org/runtime'
import type { GenesisDoc, State } from '@org/types'
import type { PublicKey } from '@org/types/crypto'
import type { Consensus } from '../consensus/driver/index.ts'
import type { EventBus } from '../events/index.ts'
import type { EvidencePool } from '../evidence/index.ts'
import type { BlockExecutor } from '../execution/index.ts'
import type { Indexer } from '../indexer/index.ts'
import type { Mempool } from '../mempool/index.ts'
import type { SignatureChecker } from '../signatures/index.ts'
import type { BlockStore, StateStore } from '../store/index.ts'
import type { TxWaiters } from './tx-waiters.ts'

/** The data that does not change while the node runs. */
export interface ChainStart {
  readonly genesis: GenesisDoc
  /** The stored genesis document. */
  readonly genesisText: string
  /** The state after the handshake. */
  readonly initialState: State
  /** The key of this validator. */
  readonly publicKey: PublicKey
}

/** The committed chain on disk. */
export interface CommittedChain {
  readonly blockStore: BlockStore
  readonly stateStore: StateStore
  readonly index: Indexer
}

/** Reports the events and the committed transactions of the chain. */
export interface ChainEvents {
  readonly events: EventBus
  readonly txWaiters: TxWaiters
}

/** Transactions and evidence that wait for a block. */
export interface Pools {
  readonly mempool: Mempool
  readonly evidencePool: EvidencePool
}

/**
 * The parts that commit blocks. Consensus makes new blocks. While this node is behind the chain, consensus does not
 * run, and the executor runs the blocks that come from other nodes.
 */
export interface BlockMaking {
  readonly executor: BlockExecutor
  readonly consensus: Consensus
  /** Returns true while the node waits for blocks of other validators. */
  readonly isWaitingForBlocks: () => boolean
  /**
   * Begins to make blocks after the height of `state`. The blocks up to this height are committed already, for example
   * by block sync.
   */
  readonly startConsensus: (state: State) => Promise<void>
}

/** Verifies signatures of peers. */
export interface SignatureWork {
  /** The checker of signatures that was given to `createEngine`; `undefined` if none was given. */
  readonly signatures: SignatureChecker | undefined
  readonly exactChecks: Budget
}

/**
 * A node without network and RPC. The program that creates the engine gives every other part of the node only those
 * functions of the engine that the part needs.
 */
export interface Engine extends ChainStart, CommittedChain, ChainEvents, Pools, BlockMaking, SignatureWork {
  readonly abci: AbciConnections
  readonly metrics: Metrics
  /** Begins to make blocks, unless this node must first receive the blocks of other validators. */
  readonly start: () => Promise<void>
  /** The sizes of the data that the engine keeps in memory. */
  readonly sizes: () => Sizes
  /** Stops the node, even if the application does not answer. May be called several times. */
  readonly stop: () => Promise<void>
}
