import type { Clock, Logger, Metrics, Random } from '@org/runtime'
import type { Commit, State } from '@org/types'
import type {
  RequestApplySnapshotChunk,
  RequestOfferSnapshot,
  ResponseApplySnapshotChunk,
  ResponseInfo,
  ResponseOfferSnapshot,
  Snapshot,
} from '@org/types/abci'
import type { ChunkRequest } from '@org/types/messages'
import type { Files } from '../../files/index.ts'

/**
 * Returns verified data of the chain, which state sync needs for a snapshot. If state sync must end, for example
 * because no server is left, a method rejects with a `RestoreError`. If a method rejects with any other error, state
 * sync continues with another snapshot, and tries this snapshot again later.
 */
export interface StateProvider {
  /**
   * Called once, before all other methods. Rejects with a `RestoreError` if the servers cannot prove the trusted
   * header.
   */
  readonly begin?: (signal: AbortSignal) => Promise<void>
  /** Resolves with the app hash after the block of `height`. This app hash is in the header of `height + 1`. */
  readonly appHash: (height: number, signal: AbortSignal) => Promise<Uint8Array>
  readonly commit: (height: number, signal: AbortSignal) => Promise<Commit>
  /** Resolves with the state after the block of `height`. */
  readonly state: (height: number, signal: AbortSignal) => Promise<State>
}

/** The methods of the application by which it restores a snapshot. */
export interface RestoringApp {
  readonly offerSnapshot: (request: RequestOfferSnapshot) => Promise<ResponseOfferSnapshot>
  readonly applySnapshotChunk: (request: RequestApplySnapshotChunk) => Promise<ResponseApplySnapshotChunk>
  readonly info: () => Promise<ResponseInfo>
}

/** The peers that serve snapshots. */
export interface SnapshotPeers {
  /** Sends a request for snapshots to all connected peers. */
  readonly requestSnapshots: () => void
  readonly requestChunk: (peer: string, request: ChunkRequest) => void
  /**
   * Returns true if the operator has named peers, and all of them are connected. Then the wait for snapshots may end
   * early. Without this function, the wait never ends early.
   */
  readonly areNamedConnected?: () => boolean
  /**
   * Called for a peer that must not be used any more. There are three reasons: the application rejected the peer, the
   * peer's snapshot is not of this chain, or the peer offered a snapshot and sent no chunk of it.
   */
  readonly leave: (peer: string, reason: string) => void
}

/** The result of state sync: the state and the commit that the node begins with. */
export interface Restored {
  readonly state: State
  readonly commit: Commit
}

/** The progress of state sync: its phase, and the counts of chunks and peers. */
export interface RestoreProgress {
  readonly phase: 'trusting' | 'discovering' | 'proving' | 'restoring' | 'verifying' | 'restored'
  /** The snapshot that is being restored; `undefined` if there is none. */
  readonly snapshot: Snapshot | undefined
  /** The number of chunks that the application has accepted, and the number of chunks that have arrived. */
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
  /**
   * The path of a folder that only this node uses. The folder is emptied at the start of state sync, and removed at its
   * end.
   */
  readonly folder: string
  readonly files: Files
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly metrics: Metrics
  /** Called when the progress of the restore changes. */
  readonly onProgress?: (progress: RestoreProgress) => void
}
