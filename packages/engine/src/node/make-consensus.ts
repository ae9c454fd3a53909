import type { Budget, Clock, Logger, Metrics } from '@org/runtime'
import type { EventData, State } from '@org/types'
import { type Consensus, createConsensus, DEFAULT_DRIVER_OPTIONS } from '../consensus/driver/index.ts'
import type { WalStore } from '../consensus/wal/index.ts'
import type { EvidencePool } from '../evidence/index.ts'
import type { BlockExecutor, VerifiedVotes } from '../execution/index.ts'
import type { TxAvailability } from '../mempool/index.ts'
import type { PrivValidator } from '../privval/index.ts'
import type { SignatureChecker } from '../signatures/index.ts'
import type { BlockStore } from '../store/index.ts'
import type { EngineOptions } from './options.ts'

/**
 * When the node stops, it waits at most this number of milliseconds for a busy application. Then it closes the
 * connections to the application.
 */
const STOP_TIMEOUT_MS = 1_000

export interface ConsensusParts {
  readonly state: State
  readonly blockStore: BlockStore
  readonly executor: BlockExecutor
  readonly mempool: TxAvailability
  readonly evidencePool: EvidencePool
  readonly privval: PrivValidator
  readonly wal: WalStore
  readonly verifiedVotes: VerifiedVotes
  readonly signatures: SignatureChecker
  readonly exactChecks: Budget
  readonly publish: (event: EventData) => void
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly nextTurn?: () => Promise<void>
}

/** Creates consensus for the height after the given state, but does not start it. */
export function makeConsensus({ consensus }: Pick<EngineOptions, 'consensus'>, parts: ConsensusParts): Consensus {
  const { publish, logger, ...modules } = parts
  return createConsensus(
    { ...DEFAULT_DRIVER_OPTIONS, ...consensus, stopTimeoutMs: STOP_TIMEOUT_MS },
    { ...modules, events: { publish }, logger: logger.child('consensus') },
  )
}
