import { hkdfSync } from 'node:crypto'
import { compareBytes, utf8ToBytes } from '@org/types/bytes'
import { SECRET_ERRORS, SecretError } from './errors.ts'
import { createTranscript } from './transcript.ts'
import { type X25519Pair, x25519Pair } from './x25519.ts'

/** The ephemeral key pair of one connection. */
export type EphemeralKeys = X25519Pair

export interface SessionKeys {
  readonly dhSecret: Uint8Array
  readonly sendKey: Uint8Array
  readonly receiveKey: Uint8Array
  /** The 32 bytes that each side signs to prove its identity. */
  readonly challenge: Uint8Array
}

/** Makes the ephemeral keys of a connection. `secret` has 32 random bytes, and must be new for each connection. */
export function ephemeralKeys(secret: Uint8Array): EphemeralKeys {
  return x25519Pair(secret)
}

/**
 * Derives a key for each direction. The side with the lesser ephemeral public key receives with the first key, and
 * sends with the second key. The other side sends with the first key, and receives with the second key.
 */
export function sessionKeyPair(
  dhSecret: Uint8Array,
  localIsLeast: boolean,
): Pick<SessionKeys, 'sendKey' | 'receiveKey'> {
  const info = utf8ToBytes('TENDERMINT_SECRET_CONNECTION_KEY_AND_CHALLENGE_GEN')
  const okm = new Uint8Array(hkdfSync('sha256', dhSecret, new Uint8Array(0), info, 64))
  const [low, high] = [okm.slice(0, 32), okm.slice(32)]
  return localIsLeast ? { receiveKey: low, sendKey: high } : { receiveKey: high, sendKey: low }
}

/**
 * Derives the session's keys and its challenge from this node's ephemeral keys and the peer's ephemeral public key (32
 * bytes).
 */
export function deriveSessionKeys(local: EphemeralKeys, remotePublic: Uint8Array): SessionKeys {
  const dhSecret = sharedSecret(local, remotePublic)
  const localIsLeast = compareBytes(local.public, remotePublic) < 0
  const transcript = createTranscript('TENDERMINT_SECRET_CONNECTION_TRANSCRIPT_HASH')
  transcript.append('EPHEMERAL_LOWER_PUBLIC_KEY', localIsLeast ? local.public : remotePublic)
  transcript.append('EPHEMERAL_UPPER_PUBLIC_KEY', localIsLeast ? remotePublic : local.public)
  transcript.append('DH_SECRET', dhSecret)
  const challenge = transcript.extract('SECRET_CONNECTION_MAC', 32)
  return { dhSecret, ...sessionKeyPair(dhSecret, localIsLeast), challenge }
}

function sharedSecret(local: EphemeralKeys, remotePublic: Uint8Array): Uint8Array {
  const secret = local.agree(remotePublic)
  // `undefined` means that the peer's key is a point of low order. With such a key, the secret would be zero for every
  // private key.
  if (secret === undefined) throw new SecretError(SECRET_ERRORS.lowOrderKey, "the peer's ephemeral key is of low order")
  return secret
}
