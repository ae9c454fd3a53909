import {
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign as nativeSign,
  verify as nativeVerify,
} from 'node:crypto'
import { dropOldest } from '@org/runtime'
import type { Ed25519Item } from './ed25519-item.ts'

export type { Ed25519Item }

/**
 * The number of entries is the reference's, and the oldest entry is removed first. The cache changes the cost of an
 * answer, never the answer.
 */
const MAX_CACHED_KEYS = 4096
const publicKeys = new Map<string, KeyObject | undefined>()

function cached(name: string, bytes: Uint8Array, load: () => KeyObject): KeyObject | undefined {
  const id = name + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const known = publicKeys.get(id)
  if (known !== undefined || publicKeys.has(id)) return known
  let key: KeyObject | undefined
  try {
    key = load()
  } catch {
    key = undefined
  }
  publicKeys.set(id, key)
  dropOldest(publicKeys, MAX_CACHED_KEYS)
  return key
}

const base64url = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64url')

function ed25519Key(publicKey: Uint8Array): KeyObject | undefined {
  return cached('e', publicKey, () => {
    const key: JsonWebKey = { kty: 'OKP', crv: 'Ed25519', x: base64url(publicKey) }
    return createPublicKey({ key, format: 'jwk' })
  })
}

export function verifyEd25519WithOpenSsl({ publicKey, message, signature }: Ed25519Item): boolean {
  const key = ed25519Key(publicKey)
  return key !== undefined && nativeVerify(null, message, key, signature)
}

/**
 * The number of threads of the process's pool that verify at once. The pool takes tasks in order, and a disk write must
 * get a thread at once instead of waiting for a queue of signatures. A launcher gives the pool more threads than this.
 */
const MAX_VERIFYING = 3
const waiting: (() => void)[] = []
let verifying = 0

function verified(): void {
  const next = waiting.shift()
  if (next === undefined) verifying--
  else next()
}

/** {@link verifyEd25519WithOpenSsl} in the thread pool. */
export function verifyEd25519InPool({ publicKey, message, signature }: Ed25519Item): Promise<boolean> {
  const key = ed25519Key(publicKey)
  if (key === undefined) return Promise.resolve(false)
  return new Promise((resolve) => {
    const run = (): void => {
      nativeVerify(null, message, key, signature, (error, valid) => {
        verified()
        resolve(error === null && valid)
      })
    }
    if (verifying >= MAX_VERIFYING) waiting.push(run)
    else {
      verifying++
      run()
    }
  })
}

const privateKeys = new WeakMap<Uint8Array, KeyObject>()

/** `privateKey` is seed and public key, 64 bytes. */
export function signEd25519(privateKey: Uint8Array, message: Uint8Array): Uint8Array {
  let key = privateKeys.get(privateKey)
  if (key === undefined) {
    const d = base64url(privateKey.subarray(0, 32))
    const jwk: JsonWebKey = { kty: 'OKP', crv: 'Ed25519', d, x: base64url(privateKey.subarray(32)) }
    key = createPrivateKey({ key: jwk, format: 'jwk' })
    privateKeys.set(privateKey, key)
  }
  return new Uint8Array(nativeSign(null, message, key))
}

/** SubjectPublicKeyInfo up to the compressed point. */
const SECP256K1_SPKI = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex')

/** `signature` is r and s, both in range and s low; checked by the caller. */
export function verifySecp256k1(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = cached('s', publicKey, () =>
    createPublicKey({ key: Buffer.concat([SECP256K1_SPKI, publicKey]), format: 'der', type: 'spki' }),
  )
  return key !== undefined && nativeVerify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature)
}
