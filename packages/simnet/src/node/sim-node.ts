import type { Application, MethodName } from '@org/abci'
import { createEngine, DEFAULT_MEMPOOL_OPTIONS, type Engine, type OpenedNetwork, openNetwork } from '@org/engine'
import type { MachineOptions } from '@org/engine/consensus'
import { createStateFileSigner, INITIAL_SIGN_STATE, type PrivValidator, signStateText } from '@org/engine/privval'
import {
  DEFAULT_BLOCKSYNC_OPTIONS,
  DEFAULT_CONSENSUS_GOSSIP_OPTIONS,
  DEFAULT_MEMPOOL_GOSSIP_OPTIONS,
} from '@org/engine/protocols'
import { createFileWal, DEFAULT_WAL_OPTIONS } from '@org/engine/storage'
import { DEFAULT_MCONN_OPTIONS, DEFAULT_SWITCH_OPTIONS, type NetAddress, type PexOptions } from '@org/p2p'
import { type Logger, noopMetrics } from '@org/runtime'
import { bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import type { PrivateKey } from '@org/types/crypto'
import {
  type AppConnectionsModules,
  type AppFaults,
  type AppHome,
  createAppConnections,
  createAppHome,
} from '../app/index.ts'
import {
  type CrashKind,
  createDisk,
  createSimFiles,
  createSimStore,
  type Disk,
  type DiskOp,
  type DiskTiming,
  type SimFiles,
  type SimStore,
} from '../disk/index.ts'
import { createSimSwitch, type Hub, type Meeting, type Parcel } from '../peers/index.ts'
import {
  type ClockFault,
  createLife,
  type Dice,
  type Life,
  type Scheduler,
  type Trace,
  WORLD_ERRORS,
  WorldError,
} from '../world/index.ts'
import { type SharedSignatures, watchedSignatures } from './signatures.ts'
import { createSimSigner, type SimSigner } from './sim-signer.ts'

/** The path of a node's write-ahead log. */
export const WAL_FILE = '/data/cs.wal/wal'
const DIAL_JITTER_MS = 200
const SIGN_STATE = '/data/priv_validator_state.json'
const ADDRESS_BOOK = '/config/addrbook.json'

export interface SimNodeOptions {
  readonly name: string
  readonly address: NetAddress
  readonly key: PrivateKey
  readonly nodeKey: PrivateKey
  readonly genesisText: string
  /** The time at the scheduler's 0, in nanoseconds since 1970. */
  readonly start: bigint
  readonly consensus: MachineOptions
  readonly peers: readonly NetAddress[]
  readonly disk: DiskTiming
  readonly appIsInProcess: boolean
  readonly appSavesEvery: number
  readonly appDelayMs: readonly [low: number, high: number]
  /** Milliseconds before the first check whether the node is behind its peers. */
  readonly firstCheckMs: number
  /** Milliseconds between two dials of an absent peer. */
  readonly redialMs: number
  /** The size of the log's head file before it is renamed, in bytes. */
  readonly walHeadSize: number
  /** How it finds peers, and stores their addresses; `undefined` if it has the addresses of its peers. */
  readonly pex: PexOptions | undefined
  /** True if its application is asked about each peer. */
  readonly filterPeers: boolean
  readonly doubleSignCheckHeight: number
  readonly mempool: 'flood' | 'nop'
  readonly mempoolSize: number
  readonly mempoolSeen: number
  /** The number of removable heights that starts a pruning of the index; 0 never prunes. */
  readonly pruneIndexEvery: number
  readonly discardAbciResponses: boolean
  /** True if its signer is a separate process. */
  readonly remoteSigner: boolean
}

export interface SimNodeModules {
  readonly scheduler: Scheduler
  readonly dice: Dice
  readonly trace: Trace
  readonly hub: Hub
  readonly signatures: SharedSignatures
  readonly createApp: (home: AppHome) => Application
  /** Called before and after each operation; may end the node's life. */
  readonly onDiskOp: (op: DiskOp, when: 'before' | 'after') => void
  readonly onAppCall: (method: MethodName, when: 'before' | 'after') => void
  readonly onAppAnswer: AppConnectionsModules['onAnswer']
  readonly onReject: (from: string, reason: string) => void
  readonly onMeeting: (meeting: Meeting) => void
  readonly onReceived: (from: string, parcel: Parcel) => void
  readonly onVerified: (signature: Uint8Array, holds: boolean) => void
  /** Called when the node cannot continue by itself. */
  readonly onHalt: (error: Error) => void
  readonly onStarted: (engine: Engine) => void
  readonly wrapSigner: (signer: PrivValidator) => PrivValidator
  readonly logger: Logger
}

/** `gone`: down for good. */
export type NodeStatus = 'down' | 'starting' | 'running' | 'halted' | 'gone'

/** A full node that can be crashed. The data on its disk and its application's are present at the next start. */
export interface SimNode {
  readonly name: string
  readonly options: SimNodeOptions
  readonly disk: Disk
  readonly files: SimFiles
  readonly stores: ReadonlyMap<string, SimStore>
  /** The signer in a separate process; `undefined` if the node signs by itself. */
  readonly signer: SimSigner | undefined
  readonly appHome: AppHome
  readonly appFaults: AppFaults & { delayMs: readonly [low: number, high: number] }
  readonly clockFault: { -readonly [K in keyof ClockFault]: ClockFault[K] }
  readonly status: () => NodeStatus
  /** The error with which it halted. */
  readonly failure: () => Error | undefined
  readonly life: () => Life | undefined
  readonly engine: () => Engine | undefined
  readonly network: () => OpenedNetwork | undefined
  /** Resolves when it runs or has failed to start; never if it is crashed before. */
  readonly start: () => Promise<void>
  /** Ends it at once. `loss` is the number of one of the ways to lose unsynced data. */
  readonly crash: (kind: CrashKind, loss?: number) => void
  /** Stops it in order. */
  readonly stop: () => Promise<void>
  /** Stops the node for good. */
  readonly leave: () => void
}

export function createSimNode(options: SimNodeOptions, modules: SimNodeModules): SimNode {
  const { name } = options
  const { scheduler, trace, hub, logger } = modules
  const dice = modules.dice.fork(name)
  const disk = createDisk(options.disk, { dice: dice.fork('disk'), trace, node: name, onOp: modules.onDiskOp })
  const files = createSimFiles(disk)
  const stores = new Map<string, SimStore>()
  const appHome = createAppHome(options.appSavesEvery)
  const appFaults: SimNode['appFaults'] = { delayMs: options.appDelayMs, failNext: undefined }
  const clockFault = { skewMs: 0, drift: 0 }
  const signer = options.remoteSigner
    ? createSimSigner({ key: options.key, scheduler, dice: dice.fork('signer'), sign: modules.signatures.sign })
    : undefined
  let lives = 0
  let status: NodeStatus = 'down'
  let failure: Error | undefined
  let life: Life | undefined
  let engine: Engine | undefined
  let network: OpenedNetwork | undefined
  let app: Application | undefined

  files.place(SIGN_STATE, utf8ToBytes(signStateText(INITIAL_SIGN_STATE)))

  function halt(own: Life, error: Error): void {
    if (!own.isAlive() || status === 'halted') return
    status = 'halted'
    failure = error
    trace.note(name, 'halted', error.message)
    modules.onHalt(error)
  }

  function application(): Application {
    // An application in a separate process outlives the node.
    if (app === undefined || options.appIsInProcess || appFaults.failNext !== undefined)
      app = modules.createApp(appHome)
    return app
  }

  async function open(own: Life): Promise<void> {
    const ownDice = dice.fork(`life ${lives}`)
    const { clock } = own
    const opened = await createEngine(
      {
        consensus: { ...options.consensus, walFile: WAL_FILE, doubleSignCheckHeight: options.doubleSignCheckHeight },
        mempool: {
          ...DEFAULT_MEMPOOL_OPTIONS,
          kind: options.mempool,
          size: options.mempoolSize,
          cacheSize: options.mempoolSeen,
        },
        storage: { discardAbciResponses: options.discardAbciResponses },
        index: { enabled: true, prune: options.pruneIndexEvery > 0, pruneInterval: options.pruneIndexEvery },
      },
      {
        openDatabase: async (database) => {
          const store = stores.get(database) ?? createSimStore(database, disk)
          stores.set(database, store)
          return store.open(own)
        },
        genesis: { read: () => options.genesisText, name: 'genesis' },
        abci: createAppConnections(application(), {
          life: own,
          dice: ownDice.fork('app'),
          trace,
          node: name,
          faults: appFaults,
          isInProcess: options.appIsInProcess,
          onCall: modules.onAppCall,
          onAnswer: modules.onAppAnswer,
        }),
        privval: async (chainId) =>
          modules.wrapSigner(
            signer === undefined
              ? createStateFileSigner(options.key, SIGN_STATE, { files: files.of(own), sign: modules.signatures.sign })
              : await signer.connect(chainId, { life: own, logger }),
          ),
        wal: createFileWal(
          { ...DEFAULT_WAL_OPTIONS, path: WAL_FILE, headSizeLimit: options.walHeadSize },
          { clock, logger, files: files.of(own) },
        ),
        metrics: async () => noopMetrics,
        clock,
        logger,
        signatures: watchedSignatures(modules.signatures, modules.onVerified),
        nextTurn: () => own.wait(0),
        signal: new AbortController().signal,
      },
    )
    if (!own.isAlive()) return
    opened.consensus.onHalt((error) => halt(own, error))
    const net = await openNetwork(
      {
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
        mempool: options.mempool === 'nop' ? undefined : DEFAULT_MEMPOOL_GOSSIP_OPTIONS,
        consensus: DEFAULT_CONSENSUS_GOSSIP_OPTIONS,
        blockSync: { ...DEFAULT_BLOCKSYNC_OPTIONS, firstCheckMs: options.firstCheckMs },
        filterPeers: options.filterPeers,
        introduction: {
          listenAddr: `tcp://${options.address.ip}:${options.address.port}`,
          moniker: name,
          version: '0.38.25',
          txIndex: 'on',
          rpcAddress: '',
        },
        book: {
          file: options.pex === undefined ? undefined : ADDRESS_BOOK,
          strict: false,
          privateIds: [],
          own: [options.address],
        },
      },
      {
        engine: opened,
        streams: {
          dial: () => Promise.reject(new Error('a simulation has no streams')),
          listen: () => Promise.reject(new Error('a simulation has no streams')),
        },
        createSwitch: createSimSwitch({
          hub,
          life: own,
          name,
          onReject: modules.onReject,
          onMeeting: modules.onMeeting,
          onReceived: modules.onReceived,
          addresses: () => network?.book.size() ?? 0,
          now: scheduler.now,
        }),
        bookRandom: ownDice.fork('book'),
        files: files.of(own),
        clock,
        random: ownDice.fork('network'),
        logger,
      },
    )
    if (!own.isAlive()) return
    net.onFailure((error) => halt(own, error))
    engine = opened
    network = net
    modules.onStarted(opened)
    await opened.start()
    await net.start()
  }

  async function start(): Promise<void> {
    if (status !== 'down')
      throw new WorldError(WORLD_ERRORS.badState, `${name} is ${status}, and can be started only when it is down`)
    lives++
    const own = createLife({ genesis: options.start, clockFault }, scheduler)
    life = own
    status = 'starting'
    failure = undefined
    trace.note(name, 'starts', lives)
    try {
      await open(own)
      if (own.isAlive() && status === 'starting') status = 'running'
    } catch (error) {
      halt(own, error instanceof Error ? error : new Error(String(error)))
    }
  }

  function end(): void {
    life?.end()
    life = undefined
    engine = undefined
    network = undefined
    status = 'down'
  }

  function crash(kind: CrashKind, loss?: number): void {
    if (status === 'down' || status === 'gone') return
    trace.note(name, 'crash', kind)
    end()
    hub.drop(name)
    disk.crash(kind, loss)
  }

  return {
    name,
    options,
    disk,
    files,
    stores,
    signer,
    appHome,
    appFaults,
    clockFault,
    status: () => status,
    failure: () => failure,
    life: () => life,
    engine: () => engine,
    network: () => network,
    start,
    crash,
    stop: async () => {
      const [stopping, net] = [engine, network]
      await net?.stop()
      await stopping?.stop()
      end()
      hub.drop(name)
    },
    leave: () => {
      crash('kill')
      status = 'gone'
    },
  }
}

/** The sign state on the disk of a node's signer. */
export function signStateOf({ files, signer }: Pick<SimNode, 'files' | 'signer'>): string {
  return signer?.stateText() ?? bytesToUtf8(files.read(SIGN_STATE) ?? new Uint8Array(0))
}
