import type { Application } from '@org/abci'
import { DEFAULT_MEMPOOL_OPTIONS, DEFAULT_RESTORE_OPTIONS, type RestoreOptions } from '@org/engine'
import type { MachineOptions } from '@org/engine/consensus'
import type { PrivValidator } from '@org/engine/privval'
import { DEFAULT_BLOCKSYNC_OPTIONS } from '@org/engine/protocols'
import type { Logger } from '@org/runtime'
import type { GenesisDoc } from '@org/types'
import type { PrivateKey } from '@org/types/crypto'
import type { AppHome } from '../app/index.ts'
import { type DiskTiming, FAST_DISK } from '../disk/index.ts'
import type { Fault } from '../faults/index.ts'
import { FAST_WIRE, type WireOptions, type WireWatch } from '../peers/index.ts'
import type { JoinerOptions } from '../servers/index.ts'
import { ANSWER_WITHIN_MS } from '../world/index.ts'

/** The options of {@link createNetwork}. All times are in milliseconds of the virtual clock. */
export interface NetworkOptions {
  /** The seed: all random choices follow from this number. */
  readonly seed: number
  readonly validators: number
  /** The powers of the validators, by index. A validator without an entry has the power 10. */
  readonly powers: readonly bigint[]
  /** The keys of the validators, by index. A validator without an entry gets a key of its own. */
  readonly keys: readonly PrivateKey[]
  /** The number of nodes that are not validators at the start, but may become validators. */
  readonly fullNodes: number
  /**
   * The options of the nodes that begin with a snapshot (the joiners). The default application can then restore
   * snapshots.
   */
  readonly joiners: JoinerOptions | undefined
  /**
   * The number of other nodes that each node dials, at most half of the nodes. By default all nodes are connected to
   * each other.
   */
  readonly peersPerNode: number
  /** Creates a node's application from its stored state and the node's name; the default one counts transactions. */
  readonly app: ((home: AppHome, node: string) => Application | Promise<Application>) | undefined
  /** True if the application runs in the node's process and ends when the node crashes. */
  readonly appIsInProcess: boolean
  /**
   * The interval, in blocks, at which the application saves its state. After a crash, the node sends it the blocks
   * above the saved state again.
   */
  readonly appSavesEvery: number
  readonly appDelayMs: readonly [low: number, high: number]
  /**
   * The maximum time, in real milliseconds, for which an application may give no answer. It is for applications that
   * work in real time; virtual time stops during their calls.
   */
  readonly answerWithinMs: number
  /** The number of blocks that the default application keeps; 0 keeps all. */
  readonly appKeepsBlocks: number
  /** True if the default application accepts a transaction that is in a block already. */
  readonly appTakesAgain: boolean
  /** The interval, in heights, at which the default application changes parameters; 0 means never. */
  readonly appChangesParamsEvery: number
  /** The first height whose votes have extensions; 0 means that no votes have them. */
  readonly extensionsFrom: number
  readonly initialHeight: number
  /** The faults of the network. They begin when the network starts for the first time. */
  readonly faults: readonly Fault[]
  /** Members of the genesis document that differ from the default. */
  readonly genesis: Partial<GenesisDoc>
  readonly consensus: Partial<MachineOptions>
  readonly wire: WireOptions
  readonly disk: DiskTiming
  readonly walHeadSize: number
  /**
   * For this number of milliseconds after its start, a node only receives the heights of its peers. Then it checks
   * whether it is behind them, and joins consensus or block sync.
   */
  readonly firstCheckMs: number
  /** The longest wait between two dials of a peer, in milliseconds; 0 uses the waits of the reference. */
  readonly redialMs: number
  /**
   * If set, each node begins with only the addresses of the seed nodes. The nodes then exchange addresses, and store
   * them on their disks. By default each node has the addresses of its peers from the start.
   */
  readonly exchange: ExchangeOptions | undefined
  /**
   * True if each node asks its application about each peer. If the application refuses the peer, the node closes the
   * connection.
   */
  readonly filterPeers: boolean
  /** Pairs of nodes: the default application of `node` refuses `peer` as a peer. */
  readonly appRefuses: readonly { readonly node: number; readonly peer: number }[]
  /** The interval, in heights, at which the default application makes a snapshot; 0 means never. */
  readonly appSnapshotsEvery: number
  /**
   * With the value N, a validator checks the last N - 1 blocks before it joins consensus; 0 checks none. If it signed
   * one of these blocks, it refuses to start.
   */
  readonly doubleSignCheckHeight: number
  /**
   * The kind of the mempool. With `flood`, the mempool holds transactions of clients, and nodes send them to their
   * peers. With `nop`, a node accepts no transactions of clients, and the default application makes a transaction for
   * each block.
   */
  readonly mempool: 'flood' | 'nop'
  /**
   * The maximum number of transactions in the mempool. `mempoolSeen` is the maximum number of transactions that the
   * mempool remembers.
   */
  readonly mempoolSize: number
  readonly mempoolSeen: number
  /** The index is pruned when at least this number of heights can be removed from it; 0 never prunes. */
  readonly pruneIndexEvery: number
  /** True if signers are separate processes, which keep their state when a node crashes. */
  readonly remoteSigners: boolean
  /**
   * True if a node stores only the application's last response to FinalizeBlock, and not the responses of all heights.
   */
  readonly discardAbciResponses: boolean
  /** Milliseconds between two transactions of clients; 0 sends none. */
  readonly txEveryMs: number
  /** Virtual milliseconds between two checks of each node's memory; 0 never checks. */
  readonly watchEveryMs: number
  /** The number of trace lines that are kept. */
  readonly keepTrace: number
  /** True if rules are checked and the trace is made. Both take memory for each block. */
  readonly isWatched: boolean
  /** Called with each line of the trace. */
  readonly onTrace: ((line: string) => void) | undefined
  /** Called with the messages between the nodes, so that a program can show them. It does not change the run. */
  readonly watchWire: WireWatch | undefined
  readonly logger: ((node: string) => Logger) | undefined
  /** Returns the signer that a node uses in place of its own `signer`. */
  readonly wrapSigner: ((signer: PrivValidator, node: string) => PrivValidator) | undefined
}

export interface ExchangeOptions {
  /** The indices of the seed nodes. All other nodes have the addresses of the seed nodes. */
  readonly seeds: readonly number[]
  /** True if a seed node answers each peer once with addresses and then closes the connection. */
  readonly seedMode: boolean
  /** Milliseconds between two checks whether a node has enough peers; the reference has 30,000. */
  readonly everyMs: number
  /** The number of peers that each node dials. */
  readonly maxOutbound: number
}

const MS = 1_000_000n

/**
 * Short timeouts. Virtual time itself costs nothing, but a longer virtual time contains more events, which take real
 * time.
 */
export const SIM_CONSENSUS: Partial<MachineOptions> = {
  timeoutPropose: 800n * MS,
  timeoutProposeDelta: 200n * MS,
  timeoutPrevote: 300n * MS,
  timeoutPrevoteDelta: 150n * MS,
  timeoutPrecommit: 300n * MS,
  timeoutPrecommitDelta: 150n * MS,
  timeoutCommit: 200n * MS,
}

/** State sync with short waits. */
export const SIM_RESTORE: RestoreOptions = {
  ...DEFAULT_RESTORE_OPTIONS,
  discoveryMs: 400,
  chunkRequestMs: 800,
  chunkWaitMs: 4000,
  proofMs: 3000,
}

export const DEFAULT_NETWORK: Omit<NetworkOptions, 'seed'> = {
  validators: 4,
  powers: [],
  keys: [],
  fullNodes: 0,
  joiners: undefined,
  peersPerNode: Number.POSITIVE_INFINITY,
  app: undefined,
  appIsInProcess: true,
  appSavesEvery: 1,
  appDelayMs: [0, 0],
  answerWithinMs: ANSWER_WITHIN_MS,
  appKeepsBlocks: 0,
  appTakesAgain: false,
  appChangesParamsEvery: 0,
  extensionsFrom: 0,
  initialHeight: 1,
  faults: [],
  genesis: {},
  consensus: {},
  wire: FAST_WIRE,
  disk: FAST_DISK,
  walHeadSize: 10 * 1024 * 1024,
  redialMs: 1000,
  firstCheckMs: DEFAULT_BLOCKSYNC_OPTIONS.firstCheckMs,
  exchange: undefined,
  filterPeers: false,
  appRefuses: [],
  appSnapshotsEvery: 0,
  doubleSignCheckHeight: 0,
  mempool: 'flood',
  mempoolSize: DEFAULT_MEMPOOL_OPTIONS.size,
  mempoolSeen: DEFAULT_MEMPOOL_OPTIONS.cacheSize,
  pruneIndexEvery: 0,
  remoteSigners: false,
  discardAbciResponses: false,
  txEveryMs: 0,
  watchEveryMs: 50,
  keepTrace: 200,
  isWatched: true,
  onTrace: undefined,
  watchWire: undefined,
  logger: undefined,
  wrapSigner: undefined,
}
