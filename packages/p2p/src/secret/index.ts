export { SECRET_ERRORS, SecretError } from './errors.ts'
export { createOpener, createSealer, FRAME_DATA_SIZE, SEALED_FRAME_SIZE } from './frames.ts'
export { createHandshake, type Handshake, type HandshakeStep, type Session } from './handshake.ts'
export { deriveSessionKeys, type EphemeralKeys, ephemeralKeys, type SessionKeys } from './keys.ts'
