import type { Clock, Logger, Metrics, Random } from '@org/runtime'
import type {
  RequestApplySnapshotChunk,
  RequestOfferSnapshot,
  ResponseApplySnapshotChunk,
  ResponseInfo,
  ResponseOfferSnapshot,
  Snapshot,
} from '@org/types/abci'
import type { Commit } from '@org/types/block'
import type { State } from '@org/types/state'
import type { ChunkRequest } from '@org/types/statesync'
import type { Files } from '../../files/index.ts'

/**
 * Returns verified data of the chain. To end state sync, for example if no server is left, a method throws a
 * `RestoreError`. After any other error, state sync continues with another snapshot, and tries the first one again
 * later.
 */
export interface StateProvider {
  /**
   * Called once, before all other methods. Rejects with a `RestoreError` if the servers cannot prove the trusted
   * header.
   */
  readonly begin?: (signal: AbortSignal) => Promise<void>
  /** The app hash after the block of `height`: it is in the header of the next height. */
  readonly appHash: (height: number, signal: AbortSignal) => Promise<Uint8Array>
  readonly commit: (height: number, signal: AbortSignal) => Promise<Commit>
  /** The state after the block of `height`. */
  readonly state: (height: number, signal: AbortSignal) => Promise<State>
}

/** The application that restores a snapshot. */
export interface RestoringApp {
  readonly offerSnapshot: (request: RequestOfferSnapshot) => Promise<ResponseOfferSnapshot>
  readonly applySnapshotChunk: (request: RequestApplySnapshotChunk) => Promise<ResponseApplySnapshotChunk>
  readonly info: () => Promise<ResponseInfo>
}

/** The peers that serve snapshots. */
export interface SnapshotPeers {
  /** Requests the snapshots of all connected peers. */
  readonly requestSnapshots: () => void
  readonly requestChunk: (peer: string, request: ChunkRequest) => void
  /**
   * Returns whether all peers that the operator named are connected; false if no peer is named. If this function is
   * absent, the wait for snapshots never ends early.
   */
  readonly areNamedConnected?: () => boolean
  /** Called for a peer that the application rejected, or that sent no chunk of a snapshot that it offered. */
  readonly leave: (peer: string, reason: string) => void
}

/** The state and the commit that the node begins with. */
export interface Restored {
  readonly state: State
  readonly commit: Commit
}

export interface RestoreProgress {
  readonly phase: 'trusting' | 'discovering' | 'proving' | 'restoring' | 'verifying' | 'restored'
  /** The snapshot that is being restored. */
  readonly snapshot: Snapshot | undefined
  /** The number of chunks that the application has accepted, and the number of chunks that have come. */
  readonly applied: number
  readonly received: number
  /** The number of peers that have sent a chunk of this snapshot, and the number of peers that offer it. */
  readonly senders: number
  readonly peers: number
}

export interface RestoreModules {
  readonly app: RestoringApp
  readonly provider: StateProvider
  readonly peers: SnapshotPeers
  /** A folder of which this node is the only user. It is emptied at the start, and removed at the end. */
  readonly folder: string
  readonly files: Files
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly metrics: Metrics
  /** Called when the progress of the restore changes. */
  readonly onProgress?: (progress: RestoreProgress) => void
}
