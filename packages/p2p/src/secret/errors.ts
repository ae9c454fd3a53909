import { CodedError } from '@org/runtime/errors'

/** The codes of {@link SecretError}. */
export const SECRET_ERRORS = {
  lowOrderKey: 'SECRET_LOW_ORDER_KEY',
  frame: 'SECRET_FRAME',
  frameLength: 'SECRET_FRAME_LENGTH',
  nonce: 'SECRET_NONCE_EXHAUSTED',
  message: 'SECRET_HANDSHAKE_MESSAGE',
  messageSize: 'SECRET_HANDSHAKE_SIZE',
  keyType: 'SECRET_KEY_TYPE',
  challenge: 'SECRET_CHALLENGE',
  closed: 'SECRET_CLOSED',
  timeout: 'SECRET_TIMEOUT',
  busy: 'SECRET_BUSY',
} as const

/**
 * An error because of which a secret connection cannot begin or cannot continue. Each of these errors ends the
 * connection.
 */
export class SecretError extends CodedError<(typeof SECRET_ERRORS)[keyof typeof SECRET_ERRORS]> {}
