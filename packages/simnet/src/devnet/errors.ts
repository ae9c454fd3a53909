import { CodedError } from '@org/runtime/errors'

/** The codes of {@link DevnetError}. */
export const DEVNET_ERRORS = {
  /** No validator of this devnet has the address. The message lists the addresses. */
  unknownValidator: 'DEVNET_UNKNOWN_VALIDATOR',
  unknownSnapshot: 'DEVNET_UNKNOWN_SNAPSHOT',
  /** The devnet already keeps the maximum number of snapshots. */
  tooManySnapshots: 'DEVNET_TOO_MANY_SNAPSHOTS',
  /** The wanted time is not after the last block. */
  timeNotAhead: 'DEVNET_TIME_NOT_AHEAD',
  /** The validators that run, sign and are connected have too little power for a block. */
  noMajority: 'DEVNET_NO_MAJORITY',
  /** With the requested power of a validator, the chain could not continue. */
  badPower: 'DEVNET_BAD_POWER',
  /** The devnet already has the maximum number of validators in its process. */
  tooManyValidators: 'DEVNET_TOO_MANY_VALIDATORS',
  /** The consensus parameters of the chain do not allow the type of a new validator's key. */
  keyType: 'DEVNET_KEY_TYPE',
  /** No validator of this devnet has the transaction. */
  unknownTx: 'DEVNET_UNKNOWN_TX',
  /** The devnet already holds the maximum number of transactions. */
  tooManyHeld: 'DEVNET_TOO_MANY_HELD',
  /**
   * The chain goes back, but an application in another process has no earlier state from which it could follow the
   * chain.
   */
  appCannotGoBack: 'DEVNET_APP_CANNOT_GO_BACK',
  /** An application refused the snapshot that it had made itself. */
  appRefusesSnapshot: 'DEVNET_APP_REFUSES_SNAPSHOT',
  /** An application could not be started again. */
  appRestart: 'DEVNET_APP_RESTART',
  /** The application of a new validator, in another process, has no state from which it can follow the chain. */
  appCannotJoin: 'DEVNET_APP_CANNOT_JOIN',
  /** There are more validators than applications in other processes. */
  tooFewApps: 'DEVNET_TOO_FEW_APPS',
  /** This process has too few of the chain's keys to decide a block. */
  tooFewKeys: 'DEVNET_TOO_FEW_KEYS',
  /** This devnet cannot read the home directories of nodes. */
  forkUnavailable: 'DEVNET_FORK_UNAVAILABLE',
  /** The home directory has no chain with which a devnet can begin. */
  forkEmpty: 'DEVNET_FORK_EMPTY',
  /** The caller asked to replace more validators than the chain has. */
  forkValidators: 'DEVNET_FORK_VALIDATORS',
  /** Bytes that are not a dump. */
  dumpForeign: 'DEVNET_DUMP_FOREIGN',
  /** A dump in another version of the format. */
  dumpVersion: 'DEVNET_DUMP_VERSION',
  /** A dump whose end is missing. */
  dumpTruncated: 'DEVNET_DUMP_TRUNCATED',
  /** A dump whose bytes were changed. */
  dumpCorrupt: 'DEVNET_DUMP_CORRUPT',
  dumpTooLarge: 'DEVNET_DUMP_TOO_LARGE',
  /** A validator is in another state than the call needs. */
  validatorState: 'DEVNET_VALIDATOR_STATE',
} as const

/** The type of the codes in {@link DEVNET_ERRORS}. */
export type DevnetErrorCode = (typeof DEVNET_ERRORS)[keyof typeof DEVNET_ERRORS]

/** The error of a devnet. Its code is one of {@link DEVNET_ERRORS}. */
export class DevnetError extends CodedError<DevnetErrorCode> {}
