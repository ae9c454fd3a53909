import type { ValidatorUpdate } from '@org/types/abci'
import { base64ToBytes, bytesToUtf8 } from '@org/types/bytes'
import { isKeyType, PUBLIC_KEY_SIZES } from '@org/types/crypto'

/** The bytes of `val=`. */
const PREFIX = Uint8Array.of(0x76, 0x61, 0x6c, 0x3d)
const INT64_MAX = 2n ** 63n - 1n

export interface ValidatorTx {
  /** The type of the key, as it is written in the transaction; empty means ed25519. */
  readonly keyType: string
  readonly key: Uint8Array
  readonly power: bigint
}

export function hasValidatorPrefix(tx: Uint8Array): boolean {
  for (let i = 0; i < PREFIX.length; i++) if (tx[i] !== PREFIX[i]) return false
  return true
}

/**
 * Reads `val=keytype!base64 key!power`. Returns `undefined` for a transaction of another form. Does not check the type
 * and the length of the key.
 */
export function parseValidatorTx(tx: Uint8Array): ValidatorTx | undefined {
  const parts = bytesToUtf8(tx.subarray(PREFIX.length)).split('!')
  const [keyType, keyText, powerText] = parts as [string, string, string]
  if (parts.length !== 3) return undefined
  const key = base64ToBytes(keyText)
  const power = parsePower(powerText)
  return key === undefined || power === undefined ? undefined : { keyType, key, power }
}

/**
 * Reads a decimal number with an optional sign, as Go does. Returns `undefined` if the number is negative, or above the
 * largest signed integer of 64 bits.
 */
function parsePower(text: string): bigint | undefined {
  const [, sign, written] = /^([+-]?)(\d+)$/.exec(text) ?? []
  // Removes leading zeros, but not the last digit.
  const digits = written?.replace(/^0+(?=\d)/, '')
  if (digits === undefined || digits.length > 19) return undefined
  const power = BigInt(digits)
  return power > INT64_MAX || (sign === '-' && power !== 0n) ? undefined : power
}

/** Returns the change of a validator that a transaction contains; `undefined` if the type of the key is unknown. */
export function validatorUpdateOf(tx: ValidatorTx): ValidatorUpdate | undefined {
  const type = tx.keyType === '' ? 'ed25519' : tx.keyType
  return isKeyType(type) ? { pubKey: { type, bytes: tx.key }, power: tx.power } : undefined
}

export function hasKeyOfRightSize({ pubKey }: ValidatorUpdate): boolean {
  return pubKey.bytes.length === PUBLIC_KEY_SIZES[pubKey.type]
}
