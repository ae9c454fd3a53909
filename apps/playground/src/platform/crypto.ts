import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { unavailable } from './unavailable.ts'

type Hasher = ReturnType<typeof sha256.create>

function hashOf(hasher: Hasher) {
  return {
    update: (text: string) => void hasher.update(utf8ToBytes(text)),
    copy: () => hashOf(hasher.clone()),
    digest: (_form: 'hex') => bytesToHex(hasher.digest()).toLowerCase(),
  }
}

/** Replaces `createHash` of `node:crypto`. Supports only SHA-256 of texts, which is enough for the digest of a run. */
export const createHash = (_name: 'sha256') => hashOf(sha256.create())

// Only connections between real machines use these functions. Simulated connections have no cryptography.
export const createCipheriv = unavailable('createCipheriv')
export const createDecipheriv = unavailable('createDecipheriv')
export const createPrivateKey = unavailable('createPrivateKey')
export const createPublicKey = unavailable('createPublicKey')
export const createSecretKey = unavailable('createSecretKey')
export const diffieHellman = unavailable('diffieHellman')
export const hkdfSync = unavailable('hkdfSync')
