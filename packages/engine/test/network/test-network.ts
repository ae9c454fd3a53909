import { type Application, createConnections } from '@org/abci'
import {
  createAddressBook,
  createMemoryHub,
  DEFAULT_MCONN_OPTIONS,
  DEFAULT_SWITCH_OPTIONS,
  type MemoryHub,
  type NetAddress,
  nodeIdOf,
  type PexOptions,
} from '@org/p2p'
import { createSystemClock, createSystemRandom, type Logger, noopLogger, noopMetrics } from '@org/runtime'
import { completeGenesis, defaultConsensusParams, encodeGenesis, type GenesisDoc } from '@org/types'
import { generateEd25519, type PrivateKey, publicKeyOf } from '@org/types/crypto'
import { DEFAULT_BLOCKSYNC_OPTIONS } from '../../src/blocksync/index.ts'
import type { PoolOptions } from '../../src/blocksync/pool/index.ts'
import { DEFAULT_CONSENSUS_GOSSIP_OPTIONS } from '../../src/consensus/gossip/index.ts'
import { DEFAULT_MACHINE_OPTIONS, type MachineOptions } from '../../src/consensus/machine/index.ts'
import { createMemoryWal } from '../../src/consensus/wal/index.ts'
import { NODE_FILES } from '../../src/files/index.ts'
import { DEFAULT_MEMPOOL_GOSSIP_OPTIONS } from '../../src/mempool/gossip/index.ts'
import { DEFAULT_MEMPOOL_OPTIONS } from '../../src/mempool/index.ts'
import { createEngine, type Engine, type RestoreParts } from '../../src/node/index.ts'
import { createP2p, type JoinNetworkModules, joinNetwork, type P2p } from '../../src/p2p/index.ts'
import { createSigner, INITIAL_SIGN_STATE } from '../../src/privval/index.ts'
import { DEFAULT_RESTORE_OPTIONS, type RestoreOptions } from '../../src/statesync/restore/index.ts'
import { createMemoryStore, type KeyValueStore } from '../../src/store/index.ts'
import { createTallyApp, type TallyApp } from './tally-app.ts'

const MS = 1_000_000n

export interface TestNode {
  readonly engine: Engine
  readonly p2p: P2p
  readonly app: TallyApp
  readonly address: NetAddress
  readonly key: PrivateKey
  readonly stop: () => Promise<void>
}

export interface TestNetworkOptions {
  readonly validators?: number
  readonly genesis?: Partial<GenesisDoc>
  readonly consensus?: Partial<MachineOptions>
  readonly app?: Application
  readonly pool?: Partial<PoolOptions>
  /**
   * True if the first node is a seed node, and the other nodes have only the address of this node. Default: each new
   * node dials the existing nodes.
   */
  readonly seeded?: boolean
  readonly logger?: (index: number) => Logger
}

export interface NodeChanges {
  readonly consensus?: Partial<MachineOptions>
  /** The number of the validator with whose key the node signs, counted from 1. */
  readonly signsAs?: number
  /**
   * Lets the node restore a snapshot of the existing nodes when it starts. `folder` is the folder for the chunks of the
   * snapshot.
   */
  readonly stateSync?: Pick<JoinNetworkModules, 'provider' | 'folder'> & {
    readonly restore?: Partial<RestoreOptions>
    /** The peers that state sync dials besides the existing nodes. */
    readonly dial?: readonly NetAddress[]
  }
  readonly app?: Application
  /** True if the node does not dial the existing nodes when it has started. */
  readonly isAlone?: boolean
  /**
   * The databases of the node. A second start with the same databases continues their chain. Default: new databases.
   */
  readonly stores?: Map<string, KeyValueStore>
  /** Called when the node is started, before it connects to the other nodes. */
  readonly first?: (address: NetAddress) => Promise<void>
}

export interface TestNetwork extends AsyncDisposable {
  readonly hub: MemoryHub
  readonly genesis: GenesisDoc
  readonly nodes: TestNode[]
  /** Adds a node, starts it and connects it to the existing nodes. The first nodes of a network are its validators. */
  readonly add: (changes?: NodeChanges) => Promise<TestNode>
  readonly reached: (height: number, nodes?: readonly TestNode[]) => Promise<void>
  readonly stop: () => Promise<void>
}

export const keyOf = (seed: number): PrivateKey => generateEd25519(new Uint8Array(32).fill(seed))

const pexOptions = (seed: NetAddress | undefined): PexOptions => ({
  seedMode: seed === undefined,
  seeds: seed === undefined ? [] : [seed],
  maxOutboundPeers: 5,
  persistentPeersMaxDialPeriodMs: 0,
  ensurePeersPeriodMs: 300,
  seedDisconnectWaitMs: 60_000,
})

/** Real nodes in this process, with in-memory stores and streams; everything else is the production code. */
export function createTestNetwork(options: TestNetworkOptions = {}): TestNetwork {
  const { validators = 4 } = options
  const hub = createMemoryHub()
  const [clock, random] = [createSystemClock(), createSystemRandom()]
  const genesis = completeGenesis({
    genesisTime: clock.now() - 1_000_000_000n,
    chainId: 'test-network',
    initialHeight: 1,
    consensusParams: defaultConsensusParams(),
    validators: Array.from({ length: validators }, (_, i) => ({
      address: new Uint8Array(0),
      pubKey: publicKeyOf(keyOf(i + 1)),
      power: 10n,
      name: '',
    })),
    appHash: new Uint8Array(0),
    appState: '',
    ...options.genesis,
  })
  const nodes: TestNode[] = []
  let count = 0

  async function add(changes: NodeChanges = {}): Promise<TestNode> {
    const { consensus = {}, signsAs, first, stateSync } = changes
    const index = ++count
    const [key, nodeKey] = [keyOf(signsAs ?? index), keyOf(100 + index)]
    const ip = `10.0.0.${index}`
    const logger = options.logger?.(index) ?? noopLogger
    const app = createTallyApp({ ...options.app, ...changes.app })
    const stores = changes.stores ?? new Map<string, KeyValueStore>()
    const peerOptions = {
      switch: {
        ...DEFAULT_SWITCH_OPTIONS,
        nodeKey,
        listen: { host: ip, port: 1 },
        persistentPeers: [],
        mconn: DEFAULT_MCONN_OPTIONS,
      },
      pex: options.seeded === true ? pexOptions(nodes[0]?.address) : undefined,
      filterPeers: false,
      advertisedNode: {
        listenAddr: `tcp://${ip}:1`,
        moniker: `node${index}`,
        version: '0.38.25',
        txIndex: 'on' as const,
        rpcAddress: '',
      },
    }
    const peerModules = {
      streams: hub.of(ip),
      book: createAddressBook({ strict: false, privateIds: [] }, random),
      saveBook: async () => undefined,
      clock,
      random,
      logger,
    }
    const join = (parts: RestoreParts, { restore, dial = [], ...modules }: NonNullable<NodeChanges['stateSync']>) =>
      joinNetwork(
        {
          ...peerOptions,
          restore: { ...DEFAULT_RESTORE_OPTIONS, discoveryMs: 100, ...restore },
          dial: [...dial, ...nodes.map(({ address }) => address)],
        },
        { ...parts, ...modules, ...peerModules, files: NODE_FILES },
        new AbortController().signal,
      )
    const engine = await createEngine(
      {
        consensus: {
          ...DEFAULT_MACHINE_OPTIONS,
          timeoutCommit: 20n * MS,
          timeoutPropose: 1000n * MS,
          ...options.consensus,
          ...consensus,
          walFile: '',
          doubleSignCheckHeight: 0,
        },
        mempool: { ...DEFAULT_MEMPOOL_OPTIONS, kind: 'flood' },
        storage: { discardAbciResponses: false },
        index: { enabled: true, prune: false },
      },
      {
        openDatabase: async (name) => {
          const store = stores.get(name) ?? createMemoryStore()
          stores.set(name, store)
          // Databases that the test passes to the node stay open, because a second start uses them again.
          return changes.stores === undefined ? store : { ...store, close: async () => undefined }
        },
        genesis: { read: () => encodeGenesis(genesis), name: 'test' },
        abci: createConnections({ kind: 'local', app }),
        privval: async () => createSigner(key, INITIAL_SIGN_STATE, { save: async () => undefined }),
        wal: createMemoryWal(),
        metrics: async () => noopMetrics,
        clock,
        logger,
        signal: new AbortController().signal,
        ...(stateSync === undefined ? {} : { restore: (parts) => join(parts, stateSync) }),
      },
    )
    const p2p = createP2p(
      {
        ...peerOptions,
        mempool: DEFAULT_MEMPOOL_GOSSIP_OPTIONS,
        consensus: DEFAULT_CONSENSUS_GOSSIP_OPTIONS,
        blockSync: {
          ...DEFAULT_BLOCKSYNC_OPTIONS,
          pool: { ...DEFAULT_BLOCKSYNC_OPTIONS.pool, ...options.pool },
        },
      },
      {
        engine,
        ...peerModules,
      },
    )
    await engine.start()
    await p2p.start()
    const node: TestNode = {
      engine,
      p2p,
      app,
      address: { id: nodeIdOf(publicKeyOf(nodeKey)), ip, port: 1 },
      key,
      stop: async () => {
        await p2p.stop()
        await engine.stop()
      },
    }
    await first?.(node.address)
    if (options.seeded !== true && changes.isAlone !== true) {
      for (const other of nodes) {
        // The other node may still have an old connection to this node, from state sync or from an earlier start of
        // this node. The loop waits until the other node has closed the old connection.
        while (other.p2p.peers.peer(node.address.id) !== undefined) await clock.sleep(5)
        await p2p.peers.dial(other.address)
      }
    }
    nodes.push(node)
    return node
  }

  async function reached(height: number, wanted: readonly TestNode[] = nodes): Promise<void> {
    await Promise.all(
      wanted.map(
        ({ engine, p2p }) =>
          new Promise<void>((resolve, reject) => {
            engine.consensus.onHalt(reject)
            p2p.onFailure(reject)
            const look = (): void => {
              if ((engine.stateStore.load()?.lastBlockHeight ?? 0) >= height) resolve()
              else setTimeout(look, 5)
            }
            look()
          }),
      ),
    )
  }

  async function stop(): Promise<void> {
    await Promise.all(nodes.splice(0).map((node) => node.stop()))
  }

  return {
    hub,
    genesis,
    nodes,
    add,
    reached,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
