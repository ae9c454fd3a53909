import { CodedError } from '@org/runtime/errors'

export const DEVNET_ERRORS = {
  /** No validator of this devnet has the address. The message lists the addresses. */
  unknownValidator: 'DEVNET_UNKNOWN_VALIDATOR',
  unknownSnapshot: 'DEVNET_UNKNOWN_SNAPSHOT',
  /** The devnet keeps as many snapshots as it can. */
  tooManySnapshots: 'DEVNET_TOO_MANY_SNAPSHOTS',
  /** The wanted time is not after the last block. */
  timeNotAhead: 'DEVNET_TIME_NOT_AHEAD',
  /** The validators that run, sign and are connected have too little power for a block. */
  noMajority: 'DEVNET_NO_MAJORITY',
  /** A power of a validator with which the chain could not continue. */
  badPower: 'DEVNET_BAD_POWER',
  /** No validator of this devnet has the transaction. */
  unknownTx: 'DEVNET_UNKNOWN_TX',
  /** The devnet holds as many transactions as it can. */
  tooManyHeld: 'DEVNET_TOO_MANY_HELD',
  /** A validator is in another state than the call needs. */
  validatorState: 'DEVNET_VALIDATOR_STATE',
} as const

export type DevnetErrorCode = (typeof DEVNET_ERRORS)[keyof typeof DEVNET_ERRORS]

export class DevnetError extends CodedError<DevnetErrorCode> {}
