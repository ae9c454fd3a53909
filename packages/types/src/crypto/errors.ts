import { CodedError } from '@org/runtime/errors'

/** The codes of {@link CryptoError}. */
export const CRYPTO_ERRORS = {
  keySize: 'CRYPTO_KEY_SIZE',
  keyType: 'CRYPTO_KEY_TYPE',
  keyJson: 'CRYPTO_KEY_JSON',
  keyMismatch: 'CRYPTO_KEY_MISMATCH',
} as const

/** A code of {@link CryptoError}. */
export type CryptoErrorCode = (typeof CRYPTO_ERRORS)[keyof typeof CRYPTO_ERRORS]

/** An error about an invalid key. */
export class CryptoError extends CodedError<CryptoErrorCode> {}
