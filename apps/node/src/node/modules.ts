import type { AbciConnections } from '@org/abci'
import type { RestoreProgress } from '@org/engine'
import type { Clock, Random } from '@org/runtime'
import type { CodedError } from '@org/runtime/errors'
import type { HeapGrowth } from '../heap-growth.ts'
import type { HomeLock } from '../home/lock/index.ts'
import type { OpenedApplication } from './application.ts'

export interface NodeModules {
  readonly clock: Clock
  readonly random: Random
  readonly interactive: boolean
  readonly heapGrowth: HeapGrowth
  /**
   * Called when the connection to an application in another process is lost. Without this function, the node ends
   * unless `stayUp` is set.
   */
  readonly onApplicationLost?: (error: CodedError) => void
  /**
   * Called when consensus has failed. The node then keeps answering requests. Without this function, the node ends
   * unless `stayUp` is set.
   */
  readonly onHalt?: (error: CodedError) => void
  /**
   * Receives the progress of state sync. If this function is given, the node does not show the progress on the terminal
   * or in the log.
   */
  readonly onStateSync?: (progress: RestoreProgress) => void
  /** Whether to answer requests after a consensus failure, instead of ending. */
  readonly stayUp?: boolean
  /** The application to use. Default: the application that the configuration names. */
  readonly application?: OpenedApplication
  /** Wraps the connections to the application, for example to report the calls. */
  readonly observe?: (connections: AbciConnections) => AbciConnections
  /**
   * A promise of the lock of the home. The caller has already requested the lock, and the start of the node waits for
   * the promise. The value is `undefined` if the node stores nothing in the home.
   */
  readonly locking: Promise<HomeLock> | undefined
}
