import { CodedError } from '@org/runtime/errors'
import { bytesToHex } from '@org/types/bytes'

/** The codes of {@link HandshakeError}. */
export const HANDSHAKE_ERRORS = {
  negativeHeight: 'HANDSHAKE_NEGATIVE_HEIGHT',
  appHashMismatch: 'HANDSHAKE_APP_HASH_MISMATCH',
  appTooHigh: 'HANDSHAKE_APP_TOO_HIGH',
  appTooLow: 'HANDSHAKE_APP_TOO_LOW',
  stateAheadOfStore: 'HANDSHAKE_STATE_AHEAD_OF_STORE',
  storeAheadOfState: 'HANDSHAKE_STORE_AHEAD_OF_STATE',
  noValidators: 'HANDSHAKE_NO_VALIDATORS',
  missingBlock: 'HANDSHAKE_MISSING_BLOCK',
} as const
/** A code of {@link HandshakeError}. */
export type HandshakeErrorCode = (typeof HANDSHAKE_ERRORS)[keyof typeof HANDSHAKE_ERRORS]

/** The heights of application, state and block store do not fit together, and no replay can repair this. */
export class HandshakeError extends CodedError<HandshakeErrorCode> {}

/**
 * Returns the error for an application whose hash differs from the chain's app hash. The error names both hashes and
 * the possible causes.
 */
export function appHashMismatch(
  height: number,
  { app, chain }: { readonly app: Uint8Array; readonly chain: Uint8Array },
): HandshakeError {
  const [got, wanted] = [bytesToHex(app), bytesToHex(chain)]
  return new HandshakeError(
    HANDSHAKE_ERRORS.appHashMismatch,
    `app hash after block ${height} does not match: the application has ${got}, the chain has ${wanted}. There are three possible causes. If the data of the application or of the node was removed, restore this data, or remove the data of the application and of the node (halley reset-state --home <this home> removes that of the node). If the chain was made with another application, version or configuration, use that application. If the application executed the last block wrongly, roll back one block (halley rollback --home <this home>).`,
    { data: { height, appHash: got, chainAppHash: wanted } },
  )
}

export function missingBlock(height: number): HandshakeError {
  return new HandshakeError(HANDSHAKE_ERRORS.missingBlock, `could not find block #${height}`, { data: { height } })
}
