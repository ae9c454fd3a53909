import { bytesToHex, bytesToUtf8, concatBytes, equalBytes, hexToBytes, utf8ToBytes } from '@org/types/bytes'
import { addressOf, PUBLIC_KEY_SIZES, verifySignature } from '@org/types/crypto'
import { refusal, TX_CODES } from '../errors.ts'
import { fromJsonText, isObject, toJsonText } from './json.ts'
import { isTooDeep, TOO_DEEP } from './json-depth.ts'

/*
 * A transaction is JSON. Without a signature, it is only the body, `{"type":"transfer","value":{...}}`. With a
 * signature, it is `{"body":{"type":...,"value":...,"chainId":...,"nonce":0},"key":<hex>,"signature":<hex>}`. Only one
 * form of each transaction is accepted: the bytes that JSON.stringify writes. Otherwise anybody could change the spaces
 * in a signed transaction, and send it again as a different transaction.
 */

export interface TransactionBody {
  readonly type: string
  readonly value: unknown
  /** The maximum gas that the transaction may use. Default: the limit of the application. */
  readonly gas?: number | undefined
  /** The id of the chain for which the transaction is signed. */
  readonly chainId?: string | undefined
  /** The number of transactions that the signer has made before; `undefined` if the chain has no nonces. */
  readonly nonce?: number | undefined
}

/** The parts that each transaction of a chain has. */
export interface TransactionForm {
  readonly isSigned: boolean
  /** True if each transaction has a nonce. Always false if `isSigned` is false. */
  readonly hasNonce: boolean
}

/** A transaction after its form was checked. The signature is not verified. */
export interface Transaction {
  readonly body: TransactionBody
  readonly signed?: SignedPart | undefined
}

export interface SignedPart {
  readonly key: Uint8Array
  readonly signature: Uint8Array
  /** The number of transactions that the signer has made before; `undefined` if the chain has no nonces. */
  readonly nonce?: number | undefined
  readonly chainId: string
  /** The address of the key, in hex. */
  readonly address: string
}

const SIGNATURE_BYTES = 64
const DOMAIN = utf8ToBytes('halley/app/1\n')

/** The bytes that are signed. */
export const signBytes = (body: TransactionBody): Uint8Array => concatBytes(DOMAIN, utf8ToBytes(toJsonText(body)))

/** The address of an ed25519 key, in hex. */
export const addressOfKey = (key: Uint8Array): string => bytesToHex(addressOf({ type: 'ed25519', bytes: key }))

const malformed = (reason: string): never => {
  throw refusal(TX_CODES.malformed, `the transaction is malformed: ${reason}`)
}

const BODY_MEMBERS = new Set(['type', 'value', 'gas', 'chainId', 'nonce'])
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

function bodyOf(json: unknown): TransactionBody {
  if (!isObject(json)) return malformed('it is not an object')
  const { type, value, gas } = json
  const unknown = Object.keys(json).find((name) => !BODY_MEMBERS.has(name))
  if (unknown !== undefined) return malformed(`it has the unknown member ${JSON.stringify(unknown.slice(0, 40))}`)
  if (typeof type !== 'string') return malformed('"type" is not a text')
  if (gas !== undefined && !isCount(gas)) return malformed('"gas" is not a whole number')
  return json as unknown as TransactionBody & { readonly value: typeof value }
}

function hexOf(value: unknown, name: string, size: number): Uint8Array {
  const bytes = typeof value === 'string' ? hexToBytes(value) : undefined
  // The hex text must have capital letters. If small letters were accepted too, the same transaction could be written
  // in two forms.
  if (bytes?.length === size && bytesToHex(bytes) === value) return bytes
  return malformed(`"${name}" must be ${size} bytes in hex with capital letters`)
}

/**
 * The members of a signed transaction, in the only permitted order. The signature does not cover the order. Without
 * this rule, anybody could change the order, and send the transaction again as a different transaction.
 */
const SIGNED_MEMBERS = 'body,key,signature'

function signedOf(json: Readonly<Record<string, unknown>>): Transaction {
  if (Object.keys(json).join() !== SIGNED_MEMBERS)
    return malformed('its members are not exactly "body", "key" and "signature", in this order')
  const body = bodyOf(json.body)
  const key = hexOf(json.key, 'key', PUBLIC_KEY_SIZES.ed25519)
  const signature = hexOf(json.signature, 'signature', SIGNATURE_BYTES)
  const { nonce, chainId } = body
  if (typeof chainId !== 'string') return malformed('"chainId" is not a text')
  return { body, signed: { key, signature, nonce, chainId, address: addressOfKey(key) } }
}

function parse(bytes: Uint8Array): unknown {
  if (isTooDeep(bytes)) return malformed(`its lists and objects ${TOO_DEEP}`)
  try {
    return fromJsonText(bytesToUtf8(bytes))
  } catch {
    return malformed('it is not JSON')
  }
}

/**
 * Throws a `Refusal` if the chain has nonces and the body has no valid nonce, or if the body has a nonce and the chain
 * has no nonces.
 */
function checkNonce({ nonce }: TransactionBody, hasNonce: boolean): void {
  if (hasNonce && nonce === undefined)
    malformed('it has no "nonce": the query /nonce with the address of the account returns the next one')
  if (hasNonce && !isCount(nonce)) malformed('"nonce" is not a whole number')
  if (!hasNonce && nonce !== undefined) malformed('it has a "nonce", but this chain has no nonces: remove the member')
}

/** Reads a transaction. Throws a `Refusal` that says what is wrong. */
export function decodeTransaction(bytes: Uint8Array, { isSigned, hasNonce }: TransactionForm): Transaction {
  const json = parse(bytes)
  if (!isObject(json)) return malformed('it is not an object')
  if (isSigned && !('signature' in json))
    return malformed('it has no signature, but this chain accepts only signed transactions')
  if (!isSigned && 'signature' in json)
    return malformed('it has a signature, but this chain accepts only transactions without a signature')
  if (!equalBytes(utf8ToBytes(JSON.stringify(json)), bytes))
    return malformed('its bytes differ from the output of JSON.stringify for the same value')
  const transaction = isSigned ? signedOf(json) : { body: bodyOf(json) }
  checkNonce(transaction.body, hasNonce)
  return transaction
}

/** Whether the key has signed the body. */
export function isSignatureValid({ body, signed }: Transaction): boolean {
  if (signed === undefined) return false
  return verifySignature({ type: 'ed25519', bytes: signed.key }, signBytes(body), signed.signature)
}
