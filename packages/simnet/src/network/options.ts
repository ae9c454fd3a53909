import type { Application } from '@org/abci'
import { DEFAULT_BLOCKSYNC_OPTIONS } from '@org/engine/blocksync'
import type { MachineOptions } from '@org/engine/consensus/machine'
import { DEFAULT_MEMPOOL_OPTIONS } from '@org/engine/mempool'
import type { Logger } from '@org/runtime'
import type { GenesisDoc } from '@org/types/genesis'
import type { AppHome } from '../app/index.ts'
import { type DiskTiming, FAST_DISK } from '../disk/index.ts'
import type { Fault } from '../faults/index.ts'
import { FAST_WIRE, type WireOptions } from '../peers/index.ts'
import { ANSWER_WITHIN_MS } from '../world/index.ts'

export interface NetworkOptions {
  /** Decides everything that chance decides. */
  readonly seed: number
  readonly validators: number
  /** Of each validator; 10 where it says nothing. */
  readonly powers: readonly bigint[]
  /** Nodes that do not validate, but may become validators. */
  readonly fullNodes: number
  /** So many others each node dials; by default all. */
  readonly peersPerNode: number
  /** Makes the application of a node from what it stored; by default one that counts transactions. */
  readonly app: ((home: AppHome) => Application) | undefined
  /** It dies with its node. */
  readonly appIsInProcess: boolean
  /** It keeps what it has after each so many blocks, and is given the others again. */
  readonly appSavesEvery: number
  readonly appDelayMs: readonly [low: number, high: number]
  /** So long, in real milliseconds, an application that works in real time may say nothing. Virtual time stands still meanwhile. */
  readonly answerWithinMs: number
  /** The default application lets blocks go that are older than so many; 0 keeps all. */
  readonly appKeepsBlocks: number
  /** The default application lets a transaction come again, which is in a block already. */
  readonly appTakesAgain: boolean
  /** The default application changes parameters at each so many heights; 0 is never. */
  readonly appChangesParamsEvery: number
  /** The first height whose votes carry extensions; 0 is none. */
  readonly extensionsFrom: number
  readonly initialHeight: number
  /** What goes wrong, from the first start on. */
  readonly faults: readonly Fault[]
  /** Members of the genesis document that are not the default. */
  readonly genesis: Partial<GenesisDoc>
  readonly consensus: Partial<MachineOptions>
  readonly wire: WireOptions
  readonly disk: DiskTiming
  readonly walHeadSize: number
  /** Milliseconds after its start in which a node hears how far its peers are, before it joins them. */
  readonly settleMs: number
  /** The longest wait between two dials of a peer, in milliseconds; 0 takes the reference's steps. */
  readonly redialMs: number
  /** Nodes know the seeds alone, tell each other addresses, and keep those on their disks. By default each knows its peers. */
  readonly exchange: ExchangeOptions | undefined
  /** The applications are asked about each peer. */
  readonly filterPeers: boolean
  /** The default application of one node does not want another one as a peer. */
  readonly appRefuses: readonly { readonly node: number; readonly peer: number }[]
  /** The default application makes a snapshot at each so many heights; 0 is never. */
  readonly appSnapshotsEvery: number
  /** So many blocks back a validator's own signature forbids it to join; 0 looks at none. */
  readonly doubleSignCheckHeight: number
  /** With `nop` clients reach no mempool, and the default application makes a transaction for each block. */
  readonly mempool: 'flood' | 'nop'
  /** The most transactions that wait, and the most that are remembered. */
  readonly mempoolSize: number
  readonly mempoolSeen: number
  /** Entries of the index go with their blocks when so many heights have to; 0: they stay. */
  readonly pruneIndexEvery: number
  /** Signers are processes of their own, and remember what they signed whatever the nodes do. */
  readonly remoteSigners: boolean
  /** Of the answers of applications only the last one is kept. */
  readonly discardAbciResponses: boolean
  /** Milliseconds between two transactions that clients send; 0 is none. */
  readonly txEveryMs: number
  /** Virtual milliseconds between two looks at what each node keeps in memory; 0 never looks. */
  readonly watchEveryMs: number
  /** The last lines of the trace that are kept. */
  readonly keepTrace: number
  /** Told each line of the trace as it comes. */
  readonly onTrace: ((line: string) => void) | undefined
  readonly logger: ((node: string) => Logger) | undefined
}

export interface ExchangeOptions {
  /** Nodes that all others know, by number. */
  readonly seeds: readonly number[]
  /** They tell what they know once to each who asks, and hang up. */
  readonly seedMode: boolean
  /** Milliseconds between two looks of a node at whether it has enough peers; the reference's are 30,000. */
  readonly everyMs: number
  /** So many peers each node dials. */
  readonly maxOutbound: number
}

const MS = 1_000_000n

/** Short timeouts: virtual time costs nothing, but what happens in it does. */
export const SIM_CONSENSUS: Partial<MachineOptions> = {
  timeoutPropose: 800n * MS,
  timeoutProposeDelta: 200n * MS,
  timeoutPrevote: 300n * MS,
  timeoutPrevoteDelta: 150n * MS,
  timeoutPrecommit: 300n * MS,
  timeoutPrecommitDelta: 150n * MS,
  timeoutCommit: 200n * MS,
}

export const DEFAULT_NETWORK: Omit<NetworkOptions, 'seed'> = {
  validators: 4,
  powers: [],
  fullNodes: 0,
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
  settleMs: DEFAULT_BLOCKSYNC_OPTIONS.settleMs,
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
  onTrace: undefined,
  logger: undefined,
}
