import { CodedError } from '@org/runtime/errors'

export const RESTORE_ERRORS = {
  /** No peer offered a snapshot, and discovery is switched off. */
  noSnapshots: 'STATESYNC_NO_SNAPSHOTS',
  /** The application ended state sync. */
  aborted: 'STATESYNC_APP_ABORTED',
  /** A call of the application failed, or its answer has an unknown result. */
  app: 'STATESYNC_APP_FAILED',
  /** The application restored states with another app hash or height, and no further snapshot could be tried. */
  verification: 'STATESYNC_VERIFY_FAILED',
  /** The application has another version than the chain requires. */
  appVersion: 'STATESYNC_APP_VERSION',
  /** The folder for chunks cannot be used: the disk is full, or permissions are missing. */
  folder: 'STATESYNC_TEMP_DIR',
  /** The RPC servers cannot prove any height. Thrown by a state provider. */
  servers: 'STATESYNC_SERVERS',
  running: 'STATESYNC_IN_PROGRESS',
} as const
export type RestoreErrorCode = (typeof RESTORE_ERRORS)[keyof typeof RESTORE_ERRORS]

/** An error that ends state sync. The message says what to do. */
export class RestoreError extends CodedError<RestoreErrorCode> {}

/** Codes of log lines about a snapshot that was given up. State sync continues with another one. */
export const GIVEN_UP = {
  rejected: 'STATESYNC_SNAPSHOT_REJECTED',
  format: 'STATESYNC_FORMAT_REJECTED',
  sender: 'STATESYNC_SENDER_REJECTED',
  timeout: 'STATESYNC_CHUNK_TIMEOUT',
  noPeers: 'STATESYNC_NO_PEERS',
  unproven: 'STATESYNC_HEIGHT_UNPROVEN',
  unverified: 'STATESYNC_FALSE_SNAPSHOT',
} as const
