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
 * The maximum number of cached keys, as in the reference. The oldest entry is removed first. The results are the same
 * with and without the cache.
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
 * The maximum number of threads of the process's pool that verify at the same time. The pool takes tasks in order.
 * Without this limit, a disk write would have to wait for all signatures that came before it. The program that starts
 * the process should give the pool more threads than this number.
 */
const MAX_VERIFYING = 3
const waiting: (() => void)[] = []
let verifying = 0

function verified(): void {
  const next = waiting.shift()
  if (next === undefined) verifying--
  else next()
}

/** Does the same as {@link verifyEd25519WithOpenSsl}, but in the thread pool. */
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

/** Signs `message`. `privateKey` has 64 bytes: the seed, then the public key. */
export function signEd25519WithOpenSsl(privateKey: Uint8Array, message: Uint8Array): Uint8Array {
  let key = privateKeys.get(privateKey)
  if (key === undefined) {
    const d = base64url(privateKey.subarray(0, 32))
    const jwk: JsonWebKey = { kty: 'OKP', crv: 'Ed25519', d, x: base64url(privateKey.subarray(32)) }
    key = createPrivateKey({ key: jwk, format: 'jwk' })
    privateKeys.set(privateKey, key)
  }
  return new Uint8Array(nativeSign(null, message, key))
}

/** The bytes of a SubjectPublicKeyInfo before the compressed point. */
const SECP256K1_SPKI = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex')

/**
 * Verifies a signature, which consists of r and s. The caller has checked that both numbers are in range and that s is
 * low.
 */
export function verifySecp256k1(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = cached('s', publicKey, () =>
    createPublicKey({ key: Buffer.concat([SECP256K1_SPKI, publicKey]), format: 'der', type: 'spki' }),
  )
  return key !== undefined && nativeVerify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature)
}
