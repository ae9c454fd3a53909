import { concatBytes, utf8ToBytes } from '@org/types/bytes'
import { KVSTORE_ERRORS, KvStoreError } from './errors.ts'

/**
 * The state of the application without its pairs and validators: the last height, and the number of executed
 * transactions. The application hash is made from this number.
 */
export interface AppState {
  readonly size: number
  readonly height: number
}

export const STATE_KEY = utf8ToBytes('stateKey')
/**
 * The database key of the record that names the rules for transactions, such as `first-equals`. Halley writes this
 * record. The application of the Go node does not write it.
 */
export const META_KEY = utf8ToBytes('halleyMeta')
const PAIR_PREFIX = utf8ToBytes('kvPairKey:')
/** The first bytes of the database keys of validators. */
export const VALIDATOR_PREFIX = utf8ToBytes('val=')

/** Returns the key under which the database stores a pair. `key` is the pair's own key. */
export const pairKey = (key: Uint8Array): Uint8Array => concatBytes(PAIR_PREFIX, key)
/** Returns the key under which the database stores a validator. `key` is the validator's public key. */
export const validatorKey = (key: Uint8Array): Uint8Array => concatBytes(VALIDATOR_PREFIX, key)
export const isPairKey = (key: Uint8Array): boolean => PAIR_PREFIX.every((byte, i) => key[i] === byte)
export const isValidatorKey = (key: Uint8Array): boolean => VALIDATOR_PREFIX.every((byte, i) => key[i] === byte)

/**
 * Returns the application hash: eight bytes that start with the number of executed transactions as a zig-zag varint.
 */
export function appHashOf({ size }: AppState): Uint8Array {
  const hash = new Uint8Array(8)
  let rest = size * 2
  let at = 0
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) hash[at++] = (rest % 0x80) | 0x80
  hash[at] = rest
  return hash
}

export function encodeState({ size, height }: AppState): Uint8Array {
  return utf8ToBytes(JSON.stringify({ size, height }))
}

/** Decodes the record of the state. If the record is absent, both numbers are 0. Throws `KVSTORE_BAD_STATE`. */
export function decodeState(bytes: Uint8Array | undefined): AppState {
  if (bytes === undefined || bytes.length === 0) return { size: 0, height: 0 }
  const text = new TextDecoder().decode(bytes)
  const { size, height } = parse(text)
  if (!isCount(size) || !isCount(height)) throw badState(text)
  return { size, height }
}

function parse(text: string): { readonly size?: unknown; readonly height?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { size: 0, height: 0, ...value }
  } catch (cause) {
    throw badState(text, cause)
  }
  throw badState(text)
}

function badState(text: string, cause?: unknown): KvStoreError {
  const data = { text: text.slice(0, 100) }
  return new KvStoreError(
    KVSTORE_ERRORS.badState,
    `the stored state is invalid (${data.text}): use the version of the application that wrote the state, or a new folder`,
    { data, cause },
  )
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
