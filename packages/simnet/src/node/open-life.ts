import type { Application } from '@org/abci'
import {
  createEngine,
  DEFAULT_MEMPOOL_OPTIONS,
  type Engine,
  joinNetwork,
  type OpenedP2p,
  openP2p,
  type RestoreFirst,
  type RestoreOptions,
} from '@org/engine'
import { createStateFileSigner } from '@org/engine/privval'
import {
  DEFAULT_BLOCKSYNC_OPTIONS,
  DEFAULT_CONSENSUS_GOSSIP_OPTIONS,
  DEFAULT_MEMPOOL_GOSSIP_OPTIONS,
} from '@org/engine/protocols'
import { createFileWal, DEFAULT_WAL_OPTIONS } from '@org/engine/storage'
import { createAddressBook, DEFAULT_MCONN_OPTIONS, DEFAULT_SWITCH_OPTIONS } from '@org/p2p'
import { noopMetrics } from '@org/runtime'
import { SOFTWARE_VERSION } from '@org/types'
import { type AppFaults, createAppConnections } from '../app/index.ts'
import type { Disk, SimFiles, SimStore } from '../disk/index.ts'
import { createSimSwitch } from '../peers/index.ts'
import { type Life, type RandomSource, WORLD_ERRORS, WorldError } from '../world/index.ts'
import type { SimNodeModules, SimNodeOptions } from './options.ts'
import { watchedSignatures } from './signatures.ts'
import type { SimSigner } from './sim-signer.ts'

/** The path of a node's write-ahead log. */
export const WAL_FILE = '/data/cs.wal/wal'
const DIAL_JITTER_MS = 200
/** The path of the state of a node's signer. */
export const SIGN_STATE = '/data/priv_validator_state.json'
const ADDRESS_BOOK = '/config/addrbook.json'
/** The folder for the chunks of a snapshot. */
const CHUNK_FOLDER = '/statesync'

/** One life of a node, and the parts of the node that outlive it. */
export interface LifeModules extends SimNodeModules {
  readonly life: Life
  /** The source of random numbers for this life. */
  readonly random: RandomSource
  readonly disk: Disk
  readonly files: SimFiles
  readonly storeOf: (database: string) => SimStore
  readonly signer: SimSigner | undefined
  readonly app: Application
  readonly appFaults: AppFaults
}

const noStreams = (): Promise<never> =>
  Promise.reject(new WorldError(WORLD_ERRORS.badState, 'a simulated node opens no TCP connections'))

/** Opens the engine of a life. */
export function openLifeEngine(options: SimNodeOptions, modules: LifeModules): Promise<Engine> {
  const { life, random, files, signer, trace, logger } = modules
  const { clock } = life
  return createEngine(
    {
      consensus: { ...options.consensus, walFile: WAL_FILE, doubleSignCheckHeight: options.doubleSignCheckHeight },
      mempool: {
        ...DEFAULT_MEMPOOL_OPTIONS,
        kind: options.mempool,
        size: options.mempoolSize,
        cacheSize: options.mempoolSeen,
      },
      // The chains are short, so backfill needs several batches only if the batches are small.
      backfill: {
        batchHeights: 3,
        requestsAtOnce: 2,
        pauseMs: options.backfillPauseMs,
        catchUpPauseMs: options.backfillPauseMs,
      },
      storage: { discardAbciResponses: options.discardAbciResponses },
      index: { enabled: true, prune: options.pruneIndexEvery > 0, pruneInterval: options.pruneIndexEvery },
    },
    {
      openDatabase: async (database) => modules.storeOf(database).open(life),
      genesis: { read: () => options.genesisText, name: 'genesis' },
      abci: createAppConnections(modules.app, {
        life,
        random: random.fork('app'),
        trace,
        node: options.name,
        faults: modules.appFaults,
        isInProcess: options.appIsInProcess,
        onCall: modules.onAppCall,
        onAnswer: modules.onAppAnswer,
      }),
      privval: async (chainId) =>
        modules.wrapSigner(
          signer === undefined
            ? createStateFileSigner(options.key, SIGN_STATE, { files: files.of(life), sign: modules.signatures.sign })
            : await signer.connect(chainId, { life, logger }),
        ),
      wal: createFileWal(
        { ...DEFAULT_WAL_OPTIONS, path: WAL_FILE, headSizeLimit: options.walHeadSize },
        { clock, logger, files: files.of(life) },
      ),
      metrics: async () => noopMetrics,
      clock,
      logger,
      signatures: watchedSignatures(modules.signatures, modules.onVerified),
      ...(options.restore && { restore: restoreLife({ ...options, restore: options.restore }, modules) }),
      ...(options.restore && { headerServers: () => modules.headerServers(life) }),
      nextTurn: () => life.wait(0),
      signal: new AbortController().signal,
    },
  )
}

/**
 * The parts of the P2P layer that are the same during state sync and afterwards. `bookSize` returns the number of
 * addresses in the address book.
 */
function peerParts(options: SimNodeOptions, modules: LifeModules, bookSize: () => number) {
  const { life, hub, scheduler } = modules
  const { name } = options
  return {
    options: {
      switch: {
        ...DEFAULT_SWITCH_OPTIONS,
        nodeKey: options.nodeKey,
        listen: { host: options.address.ip, port: options.address.port },
        persistentPeers: options.peers,
        dialJitterMs: DIAL_JITTER_MS,
        persistentPeersMaxDialPeriodMs: options.redialMs,
        mconn: DEFAULT_MCONN_OPTIONS,
      },
      pex: options.pex,
      filterPeers: options.filterPeers,
      advertisedNode: {
        listenAddr: `tcp://${options.address.ip}:${options.address.port}`,
        moniker: name,
        version: SOFTWARE_VERSION,
        txIndex: 'on',
        rpcAddress: '',
      },
    } as const,
    streams: {
      dial: noStreams,
      listen: noStreams,
    },
    createSwitch: createSimSwitch({
      hub,
      life,
      name,
      onReject: modules.onReject,
      onPeerEvent: modules.onPeerEvent,
      onReceived: modules.onReceived,
      addresses: bookSize,
      now: scheduler.now,
    }),
  }
}

/** Returns state sync for a life. The engine runs it before its handshake if the node has no chain yet. */
function restoreLife(
  options: SimNodeOptions & { readonly restore: RestoreOptions },
  modules: LifeModules,
): RestoreFirst {
  const { life, random, files, logger } = modules
  return async (parts) => {
    const provider = await modules.stateProvider(life)
    const statesyncRandom = random.fork('statesync')
    const book = createAddressBook({ strict: false, privateIds: [] }, statesyncRandom)
    book.addOwn(options.address)
    const { options: peers, ...peerModules } = peerParts(options, modules, book.size)
    return joinNetwork(
      { ...peers, restore: options.restore },
      {
        ...parts,
        ...peerModules,
        ...{
          provider,
          book,
          random: statesyncRandom,
          logger,
          clock: life.clock,
          files: files.of(life),
          folder: CHUNK_FOLDER,
        },
        saveBook: async () => undefined,
      },
      new AbortController().signal,
    )
  }
}

/** Opens the P2P layer of a life. `bookSize` returns the number of addresses in the address book. */
export function openLifeP2p(
  options: SimNodeOptions,
  modules: LifeModules,
  { engine, bookSize }: { readonly engine: Engine; readonly bookSize: () => number },
): Promise<OpenedP2p> {
  const { life, random, files, logger } = modules
  const { options: peers, ...peerModules } = peerParts(options, modules, bookSize)
  return openP2p(
    {
      ...peers,
      mempool: options.mempool === 'nop' ? undefined : DEFAULT_MEMPOOL_GOSSIP_OPTIONS,
      consensus: DEFAULT_CONSENSUS_GOSSIP_OPTIONS,
      blockSync: { ...DEFAULT_BLOCKSYNC_OPTIONS, firstCheckMs: options.firstCheckMs },
      book: {
        file: options.pex === undefined ? undefined : ADDRESS_BOOK,
        strict: false,
        privateIds: [],
        own: [options.address],
      },
    },
    {
      ...peerModules,
      engine,
      bookRandom: random.fork('book'),
      files: files.of(life),
      clock: life.clock,
      random: random.fork('network'),
      logger,
    },
  )
}
