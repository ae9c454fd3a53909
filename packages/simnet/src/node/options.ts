import type { Application, MethodName } from '@org/abci'
import type { Engine, HeaderServer, RestoreOptions, StateProvider } from '@org/engine'
import type { MachineOptions } from '@org/engine/consensus'
import type { PrivValidator } from '@org/engine/privval'
import type { NetAddress, PexOptions } from '@org/p2p'
import type { Logger } from '@org/runtime'
import type { PrivateKey } from '@org/types/crypto'
import type { AppConnectionsModules, AppHome } from '../app/index.ts'
import type { DiskOp, DiskTiming } from '../disk/index.ts'
import type { ChannelMessage, Hub, PeerEvent } from '../peers/index.ts'
import type { Life, RandomSource, Scheduler, Trace } from '../world/index.ts'
import type { SharedSignatures } from './signatures.ts'

export interface SimNodeOptions {
  readonly name: string
  readonly address: NetAddress
  readonly key: PrivateKey
  readonly nodeKey: PrivateKey
  readonly genesisText: string
  /** The clock time at virtual time 0, in nanoseconds since 1970. */
  readonly start: bigint
  readonly consensus: MachineOptions
  readonly peers: readonly NetAddress[]
  readonly disk: DiskTiming
  readonly appIsInProcess: boolean
  readonly appSavesEvery: number
  readonly appDelayMs: readonly [low: number, high: number]
  /** Milliseconds from the start of the node until it checks for the first time whether it is behind its peers. */
  readonly firstCheckMs: number
  /** The longest wait between two dials of an absent peer, in milliseconds; 0 uses the waits of the reference. */
  readonly redialMs: number
  /** The size, in bytes, at which the head file of the WAL is renamed and a new one begins. */
  readonly walHeadSize: number
  /**
   * The options of the exchange of addresses; `undefined` if the node has the addresses of its peers from the start.
   */
  readonly pex: PexOptions | undefined
  /** True if the node asks its application about each peer. */
  readonly filterPeers: boolean
  readonly doubleSignCheckHeight: number
  readonly mempool: 'flood' | 'nop'
  readonly mempoolSize: number
  readonly mempoolSeen: number
  /** The index is pruned when at least this number of heights can be removed from it; 0 never prunes. */
  readonly pruneIndexEvery: number
  readonly discardAbciResponses: boolean
  /** True if the signer of the node is a separate process. */
  readonly remoteSigner: boolean
  /** The options of state sync, if the node begins with a snapshot. */
  readonly restore: RestoreOptions | undefined
  /** The pause, in milliseconds, after each batch of headers below the snapshot. */
  readonly backfillPauseMs: number
}

export interface SimNodeModules {
  readonly scheduler: Scheduler
  readonly random: RandomSource
  readonly trace: Trace
  readonly hub: Hub
  readonly signatures: SharedSignatures
  readonly createApp: (home: AppHome) => Application | Promise<Application>
  /** Called before and after each operation on the disk. The callback may crash the node. */
  readonly onDiskOp: (op: DiskOp, when: 'before' | 'after') => void
  readonly onAppCall: (method: MethodName, when: 'before' | 'after') => void
  readonly onAppAnswer: AppConnectionsModules['onAnswer']
  readonly onReject: (from: string, reason: string) => void
  readonly onPeerEvent: (event: PeerEvent) => void
  readonly onReceived: (from: string, channelMessage: ChannelMessage) => void
  readonly onVerified: (signature: Uint8Array, holds: boolean) => void
  /** Called when the node has stopped by itself because of an error. */
  readonly onHalt: (error: Error) => void
  readonly onStarted: (engine: Engine) => void
  readonly wrapSigner: (signer: PrivValidator) => PrivValidator
  /** Returns the provider of verified states for a node that starts with a snapshot (state sync). */
  readonly stateProvider: (life: Life) => Promise<StateProvider>
  /**
   * Returns the servers from which a node that began with a snapshot fetches the headers of the heights below the
   * snapshot.
   */
  readonly headerServers: (life: Life) => readonly HeaderServer[]
  readonly logger: Logger
}
