import { join } from 'node:path'
import { type Application, createConnections } from '@org/abci'
import { type Clock, createSystemClock, type Logger, noopLogger, noopMetrics } from '@org/runtime'
import { completeGenesis, defaultConsensusParams, type GenesisDoc } from '@org/types'
import { generateEd25519, type PrivateKey, publicKeyOf } from '@org/types/crypto'
import {
  type Consensus,
  type ConsensusModules,
  type ConsensusOptions,
  createConsensus,
  DEFAULT_DRIVER_OPTIONS,
} from '../../src/consensus/driver/index.ts'
import { DEFAULT_MACHINE_OPTIONS } from '../../src/consensus/machine/index.ts'
import { createFileWal, DEFAULT_WAL_OPTIONS } from '../../src/consensus/wal/index.ts'
import { createEventBus, type EventBus } from '../../src/events/index.ts'
import { createEvidencePool, DEFAULT_EVIDENCE_OPTIONS } from '../../src/evidence/index.ts'
import {
  type CommitStep,
  createBlockExecutor,
  createVerifiedVotes,
  handshake,
  makeGenesisState,
} from '../../src/execution/index.ts'
import { createFloodMempool, DEFAULT_MEMPOOL_OPTIONS, type Mempool } from '../../src/mempool/index.ts'
import { loadOrGenerateFilePrivval } from '../../src/privval/index.ts'
import {
  type BlockStore,
  createBlockStore,
  createStateStore,
  openLevelStore,
  type StateStore,
} from '../../src/store/index.ts'

/** A fixed key, so that all runs are equal. */
export const KEY: PrivateKey = generateEd25519(new Uint8Array(32).fill(1))

export function singleGenesis(more: Partial<GenesisDoc> = {}): GenesisDoc {
  return completeGenesis({
    genesisTime: 1_700_000_000_000_000_000n,
    chainId: 'single',
    initialHeight: 1,
    consensusParams: defaultConsensusParams(),
    validators: [{ address: new Uint8Array(0), pubKey: publicKeyOf(KEY), power: 10n, name: '' }],
    appHash: new Uint8Array(0),
    appState: '',
    ...more,
  })
}

export interface RealNodeOptions extends Partial<ConsensusOptions> {
  readonly genesis?: GenesisDoc
  readonly app?: Application
  readonly clock?: Clock
  readonly logger?: Logger
  readonly onStep?: (step: CommitStep) => void | Promise<void>
  readonly wrap?: (modules: ConsensusModules) => ConsensusModules
}

export interface RealNode {
  readonly consensus: Consensus
  readonly blockStore: BlockStore
  readonly stateStore: StateStore
  readonly mempool: Mempool
  readonly events: EventBus
  /** Resolves when `height` is committed. */
  readonly committed: (height: number) => Promise<void>
  readonly stop: () => Promise<void>
  /** Closes the files without stopping the node first. */
  readonly closeStores: () => Promise<void>
}

/**
 * A node without network and RPC in `directory`: real databases, WAL and signer, with the application in this
 * process.
 */
export async function openRealNode(directory: string, options: RealNodeOptions = {}): Promise<RealNode> {
  const { clock = createSystemClock(), logger = noopLogger, genesis = singleGenesis() } = options
  const metrics = noopMetrics
  const base = { clock, logger, metrics }
  const dbs = await Promise.all(
    ['blockstore', 'state', 'evidence'].map((name) => openLevelStore(join(directory, name))),
  )
  const [blocks, states, evidence] = dbs as [never, never, never]
  const blockStore = createBlockStore({}, { db: blocks })
  const stateStore = createStateStore({}, { db: states })
  const events = createEventBus()
  const abci = createConnections({ kind: 'local', app: options.app ?? {} })
  await abci.start()
  const loaded = stateStore.load() ?? makeGenesisState(genesis)
  const state = await handshake({ genesis, state: loaded }, { ...base, abci, stateStore, blockStore, events })
  const evidencePool = await createEvidencePool(DEFAULT_EVIDENCE_OPTIONS, {
    db: evidence,
    stateStore,
    blockStore,
    state,
    logger,
  })
  const mempool = createFloodMempool(DEFAULT_MEMPOOL_OPTIONS, {
    ...base,
    app: abci.mempool,
    height: state.lastBlockHeight,
  })
  const verifiedVotes = createVerifiedVotes({ capacity: 1000 })
  const executor = createBlockExecutor(
    { blockTimeTolerance: 0n, isAppInProcess: true },
    {
      ...base,
      app: abci.consensus,
      stateStore,
      blockStore,
      mempool,
      evidencePool,
      events,
      verifiedVotes,
      ...(options.onStep === undefined ? {} : { onStep: options.onStep }),
    },
  )
  const files = { keyFile: join(directory, 'key.json'), stateFile: join(directory, 'state.json') }
  const privval = await loadOrGenerateFilePrivval(files, KEY)
  const modules: ConsensusModules = {
    ...base,
    state,
    executor,
    blockStore,
    mempool,
    evidencePool,
    privval,
    events,
    wal: createFileWal({ ...DEFAULT_WAL_OPTIONS, path: join(directory, 'cs.wal', 'wal') }, base),
    verifiedVotes,
  }
  const consensus = createConsensus(
    { ...DEFAULT_MACHINE_OPTIONS, ...DEFAULT_DRIVER_OPTIONS, timeoutCommit: 0n, ...options },
    options.wrap?.(modules) ?? modules,
  )
  const closeStores = async (): Promise<void> => {
    await abci.stop()
    for (const db of dbs) await db.close()
  }
  return {
    consensus,
    blockStore,
    stateStore,
    mempool,
    events,
    closeStores,
    committed: (height) =>
      new Promise((resolve, reject) => {
        consensus.onHalt(reject)
        const look = (): void => {
          if (blockStore.height() >= height && (stateStore.load()?.lastBlockHeight ?? 0) >= height) resolve()
          else setTimeout(look, 2)
        }
        look()
      }),
    stop: async () => {
      await consensus.stop()
      await closeStores()
    },
  }
}
