import type { AbciConnections } from '@org/abci'
import {
  type Budget,
  type Cleanups,
  type Clock,
  createCleanups,
  createLifecycle,
  joinSizes,
  type Lifecycle,
  type Logger,
  type Metrics,
  type Timer,
  unlessAborted,
} from '@org/runtime'
import type { EventData, State } from '@org/types'
import type { WalStore } from '../consensus/wal/index.ts'
import { createEventBus } from '../events/index.ts'
import { createEvidencePool, DEFAULT_EVIDENCE_OPTIONS, type EvidencePool } from '../evidence/index.ts'
import {
  createBlockExecutor,
  createVerifiedVotes,
  type HandshakeOptions,
  handshake,
  makeGenesisState,
} from '../execution/index.ts'
import type { PrivValidator } from '../privval/index.ts'
import { chargedChecker, createExactChecks, POOLED_SIGNATURES, type SignatureChecker } from '../signatures/index.ts'
import type { Backfill, HeaderServer } from '../statesync/backfill/index.ts'
import type { KeyValueStore } from '../store/index.ts'
import { createConsensusStart } from './consensus-start.ts'
import { createMempool } from './create-mempool.ts'
import type { Engine } from './engine.ts'
import { checkProtocol } from './home-format.ts'
import { type GenesisSource, loadGenesis } from './load-genesis.ts'
import { makeBackfill } from './make-backfill.ts'
import { makeConsensus } from './make-consensus.ts'
import { executionIndexer } from './open-index.ts'
import { openStores, type Stores } from './open-stores.ts'
import type { EngineOptions } from './options.ts'
import { type RestoreFirst, restoreFirst } from './restore-first.ts'
import { createTxWaiters } from './tx-waiters.ts'

/**
 * The parts that {@link createEngine} does not make itself: databases, application, signer, log, metrics and clock.
 */
export interface EngineModules {
  /** Opens one of the databases, such as `blockstore`. */
  readonly openDatabase: (name: string) => Promise<KeyValueStore>
  readonly genesis: Omit<GenesisSource, 'now'>
  /** The connections to the application, which are not started yet. */
  readonly abci: AbciConnections
  /** Returns the signer. Called once, when the chain id is known and the application is connected. */
  readonly privval: (chainId: string) => Promise<PrivValidator>
  readonly wal: WalStore
  /** Returns the metrics. Called once, when the chain id is known. */
  readonly metrics: (chainId: string) => Promise<Metrics>
  readonly clock: Clock
  readonly logger: Logger
  /** Verifies signatures. Default: `POOLED_SIGNATURES`. */
  readonly signatures?: SignatureChecker
  /**
   * The budget that limits the slow exact checks of signatures, for all peers together. Default: a new budget that only
   * this engine uses.
   */
  readonly exactChecks?: Budget
  /** Pauses a long task, so that the process can do its other work. Default: a pause for one turn of the event loop. */
  readonly nextTurn?: () => Promise<void>
  readonly onReplay?: HandshakeOptions['onProgress']
  /**
   * Runs state sync. Called before the handshake if this home has no block yet (see `restoreFirst`). Without this
   * function, the node begins with the first block.
   */
  readonly restore?: RestoreFirst
  /**
   * Returns the servers that send headers below the snapshot with which this home began. Without this function, the
   * node does not fetch these headers.
   */
  readonly headerServers?: (chainId: string) => readonly HeaderServer[]
  /** Aborts the start of the engine, for example while it waits for an application or replays blocks. */
  readonly signal: AbortSignal
}

/** The maximum number of valid signatures that are remembered: enough for two commits of the largest validator sets. */
const VERIFIED_VOTES = 20_000

/** The parts of an engine that are created first. All other parts are opened after them. */
interface Opening {
  readonly stores: Stores
  readonly cleanups: Cleanups
  readonly life: Pick<Lifecycle, 'signal' | 'stop'>
}

/**
 * Opens the parts of the engine, each after the parts that it needs. The function is long because it contains the list
 * of these parts.
 */
async function openParts(
  options: EngineOptions,
  modules: EngineModules,
  { stores, cleanups, life }: Opening,
): Promise<Engine> {
  const { abci, clock, logger, signal, signatures = POOLED_SIGNATURES } = modules
  const exactChecks = modules.exactChecks ?? createExactChecks(clock)
  const charged: SignatureChecker = { ...signatures, ...chargedChecker(signatures, exactChecks) }
  const txWaiters = createTxWaiters(life.signal)
  const events = createEventBus(life.signal)
  const { blockStore, stateStore, index } = stores
  const indexer = executionIndexer(index, options.index)
  const { genesis, text, warning } = await loadGenesis({ ...modules.genesis, now: clock.now() }, stores)
  if (warning !== undefined) logger.warn(warning)
  const metrics = await modules.metrics(genesis.chainId)
  await abci.start(signal)

  const publish = (event: EventData): void => {
    events.publish(event)
    txWaiters.publish(event)
  }
  const privval = await modules.privval(genesis.chainId)
  const publicKey = privval.pubKey()
  let backfill: Backfill | undefined
  const evidenceAt = (state: State): Promise<EvidencePool> =>
    createEvidencePool(DEFAULT_EVIDENCE_OPTIONS, {
      db: stores.evidence,
      stateStore,
      blockStore,
      state,
      signatures: charged,
      isAwaited: (height) => backfill?.isAwaited(height) === true,
      logger: logger.child('evidence'),
    })
  const { restore } = modules
  if (restore !== undefined)
    await restoreFirst({
      ...{ restore, genesis, genesisText: text, abci, metrics, publicKey },
      ...{ stateStore, blockStore, logger, signatures },
    })
  const stored = stateStore.load()
  if (stored !== undefined) checkProtocol(stored)
  const before = stored ?? makeGenesisState(genesis)
  const earlyEvidence = await evidenceAt(before)
  const initialState = await handshake(
    { genesis, state: before, signal, ...(modules.onReplay === undefined ? {} : { onProgress: modules.onReplay }) },
    {
      abci,
      stateStore,
      blockStore,
      indexer,
      events: { publish },
      evidencePool: earlyEvidence,
      clock,
      logger: logger.child('consensus'),
      metrics,
    },
  )
  // If the handshake has changed the state, the evidence pool is opened again, so that it verifies evidence with the
  // new parameters and validators.
  const evidencePool = initialState === before ? earlyEvidence : await evidenceAt(initialState)
  const mempool = createMempool(options, { abci, state: initialState, clock, logger, metrics })
  const verifiedVotes = createVerifiedVotes({ capacity: VERIFIED_VOTES })
  backfill = makeBackfill(options, {
    ...{ genesis, initialState, blockStore, stateStore, signatures, clock, logger, metrics },
    headerServers: modules.headerServers,
    isCatchingUp: () => beginning.isWaitingForBlocks(),
  })
  cleanups.add(backfill.stop)
  const executor = createBlockExecutor(
    { blockTimeTolerance: options.consensus.blockTimeTolerance, isAppInProcess: abci.isInProcess },
    {
      app: abci.consensus,
      stateStore,
      blockStore,
      mempool,
      evidencePool,
      indexer,
      events: { publish },
      verifiedVotes,
      whenHeaderStored: backfill.whenStored,
      signatures: charged,
      clock,
      logger: logger.child('state'),
      metrics,
    },
  )
  const consensus = makeConsensus(options, {
    state: initialState,
    blockStore,
    executor,
    mempool,
    evidencePool,
    privval,
    wal: modules.wal,
    verifiedVotes,
    signatures,
    exactChecks,
    publish,
    clock,
    logger,
    metrics,
    ...(modules.nextTurn === undefined ? {} : { nextTurn: modules.nextTurn }),
  })
  cleanups.add(consensus.stop)
  const beginning = createConsensusStart(options.consensus, {
    consensus,
    initialState,
    blockStore,
    publicKey,
    publish,
    logger,
  })
  return {
    genesis,
    genesisText: text,
    initialState,
    publicKey,
    abci,
    blockStore,
    stateStore,
    index,
    events,
    txWaiters,
    mempool,
    evidencePool,
    executor,
    consensus,
    metrics,
    signatures: modules.signatures,
    exactChecks,
    ...beginning,
    start: async () => {
      // The backfill starts before consensus. When consensus starts, it may replay a block that has +2/3 votes and
      // contains evidence. To verify this evidence, consensus needs headers that the backfill fetches.
      await backfill?.start()
      await beginning.start()
    },
    sizes: joinSizes({
      consensus: consensus.sizes,
      mempool: mempool.sizes,
      evidence: evidencePool.sizes,
      events: () => ({ clients: events.numClients() }),
      signatures: () => ({ verified: verifiedVotes.size() }),
    }),
    stop: life.stop,
  }
}

/**
 * The number of milliseconds that an aborted start may take to end by itself. After this time, the stores are closed
 * although the start has not ended.
 */
const GIVE_UP_MS = 2000

/**
 * Opens everything, and brings the application and the stores to one height. If a step fails, closes everything and
 * rejects.
 */
export async function createEngine(options: EngineOptions, modules: EngineModules): Promise<Engine> {
  const { abci, signal, clock } = modules
  const stores = await openStores(options, modules)
  const cleanups = createCleanups()
  const life = createLifecycle({ name: 'the engine', stop: cleanups.run })
  cleanups.add(stores.close)
  cleanups.add(abci.stop)
  const stuck = new AbortController()
  let timer: Timer | undefined
  // If the start is aborted, the connections to the application are stopped. This ends a handshake with an application
  // that does not answer. But a call to an application in this process cannot be ended, and may never return. So the
  // start waits for the call for a short time only, and then closes the stores.
  const giveUp = (): void => {
    void abci.stop()
    timer = clock.after(GIVE_UP_MS, () => stuck.abort(signal.reason))
  }
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await unlessAborted(openParts(options, modules, { stores, cleanups, life }), stuck.signal)
  } catch (error) {
    await life.stop().catch(() => undefined)
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
    timer?.cancel()
  }
}
