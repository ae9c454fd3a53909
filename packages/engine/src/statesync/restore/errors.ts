import { CodedError } from '@org/runtime/errors'

/** The codes of {@link RestoreError}. */
export const RESTORE_ERRORS = {
  /**
   * No peer offers a snapshot that can be used, and the node does not wait for snapshots, because `discoveryMs` is 0.
   */
  noSnapshots: 'STATESYNC_NO_SNAPSHOTS',
  /** The application ended state sync. */
  aborted: 'STATESYNC_APP_ABORTED',
  /** A call to the application failed, or the application returned an unknown result. */
  app: 'STATESYNC_APP_FAILED',
  /**
   * The state that the application restored has another app hash or height than the chain, and no other snapshot could
   * be restored.
   */
  verification: 'STATESYNC_VERIFY_FAILED',
  /** The application has another version than the chain requires. */
  appVersion: 'STATESYNC_APP_VERSION',
  /** The folder for chunks cannot be used, for example because the disk is full or permissions are missing. */
  folder: 'STATESYNC_TEMP_DIR',
  /** The RPC servers cannot prove any height. Only a state provider throws an error with this code. */
  servers: 'STATESYNC_SERVERS',
  running: 'STATESYNC_IN_PROGRESS',
} as const
/** A code of {@link RestoreError}. */
export type RestoreErrorCode = (typeof RESTORE_ERRORS)[keyof typeof RESTORE_ERRORS]

/** An error that ends state sync. Its message contains advice for the operator. */
export class RestoreError extends CodedError<RestoreErrorCode> {}

/**
 * The codes of log lines about a snapshot that was rejected or put aside. After such a log line, state sync continues
 * with another snapshot.
 */
export const GIVEN_UP = {
  rejected: 'STATESYNC_SNAPSHOT_REJECTED',
  format: 'STATESYNC_FORMAT_REJECTED',
  /** The application requested the same chunk, or the whole snapshot, too many times. */
  retries: 'STATESYNC_TOO_MANY_RETRIES',
  sender: 'STATESYNC_SENDER_REJECTED',
  timeout: 'STATESYNC_CHUNK_TIMEOUT',
  noPeers: 'STATESYNC_NO_PEERS',
  unproven: 'STATESYNC_HEIGHT_UNPROVEN',
  unverified: 'STATESYNC_FALSE_SNAPSHOT',
} as const
