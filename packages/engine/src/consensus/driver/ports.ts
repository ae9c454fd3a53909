import type { Budget, Clock, Logger, Metrics } from '@org/runtime'
import type { EventData, State, Vote } from '@org/types'
import type { SignedItem } from '@org/types/crypto'
import type { BlockExecutor } from '../../execution/index.ts'
import type { PrivValidator } from '../../privval/index.ts'
import type { SignatureChecker } from '../../signatures/index.ts'
import type { BlockStore } from '../../store/index.ts'
import type { ConsensusMessage, GossipHint, Judgement, RoundState } from '../machine/index.ts'
import type { WalStore } from '../wal/index.ts'

/**
 * The functions of the gossip that consensus calls. The calls come between two steps of the machine, and must return at
 * once.
 */
export interface GossipPort {
  /**
   * Called when peers may lack new data; `hint` names the data. These data are durable and in the round state. Other
   * data of the round state may not be durable yet.
   */
  readonly hint: (hint: GossipHint, state: Readonly<RoundState>) => void
  /** Called with the judgement on a peer's message. */
  readonly judgement: (peerId: string, message: ConsensusMessage, judgement: Judgement) => void
  /** Called when everything that this node signed is durable: the round state may be sent to peers again. */
  readonly onDurable?: () => void
}

export interface ConsensusMempool {
  readonly enableTxsAvailable: () => void
  /** Calls `listener` at most once per height, when the mempool has a transaction, until the signal aborts. */
  readonly txsAvailable: (listener: () => void, signal?: AbortSignal) => void
}

/** Remembers valid signatures. */
export interface SignatureMemory {
  readonly has: (item: SignedItem) => boolean
  readonly remember: (item: SignedItem) => void
}

export interface ConsensusModules {
  /** The chain's state after the handshake. */
  readonly state: State
  readonly executor: BlockExecutor
  readonly blockStore: Pick<
    BlockStore,
    | 'height'
    | 'saveBlock'
    | 'saveBlockWithExtendedCommit'
    | 'loadSeenCommit'
    | 'loadBlockCommit'
    | 'loadExtendedCommit'
    | 'loadBlockMeta'
  >
  readonly mempool: ConsensusMempool
  readonly evidencePool: { readonly reportConflictingVotes: (a: Vote, b: Vote) => void }
  /** The signer of this node; `undefined` if this node does not sign. */
  readonly privval?: PrivValidator
  readonly events: { readonly publish: (event: EventData) => unknown }
  readonly wal: WalStore
  readonly verifiedVotes: SignatureMemory
  /** Verifies the signatures of peers. Default: `POOLED_SIGNATURES`. */
  readonly signatures?: SignatureChecker
  /**
   * The budget that all parts of the node share for exact checks of signatures. Default: a budget for consensus alone.
   */
  readonly exactChecks?: Budget
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly gossip?: GossipPort
  /** Gives the other tasks of the process a turn. Default: a turn of the event loop. */
  readonly nextTurn?: () => Promise<void>
}
