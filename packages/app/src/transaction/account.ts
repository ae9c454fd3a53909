import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { ed25519FromSecret, generateEd25519, type PrivateKey, publicKeyOf, sign } from '@org/types/crypto'
import { APP_ERRORS, AppError } from '../errors.ts'
import { toJsonText } from './json.ts'
import { addressOfKey, signBytes } from './transaction.ts'

/** The content of a transaction without a signature. */
export interface TransactionContent {
  readonly type: string
  readonly value: unknown
  readonly gas?: number
}

/** The content of a signed transaction. */
export interface SignedContent extends TransactionContent {
  readonly chainId: string
  /**
   * The number of earlier transactions of this account. The query `/nonce` returns it. Omit it if the application has
   * no nonces.
   */
  readonly nonce?: number
}

/** A key pair that signs transactions. */
export interface Account {
  /** 20 bytes in hex: the name of the account in the state. */
  readonly address: string
  readonly privateKey: PrivateKey
  /** Makes the bytes of a signed transaction. */
  readonly sign: (content: SignedContent) => Uint8Array
}

function bodyJson({ type, value, gas }: TransactionContent): { type: string; value: unknown; gas?: number } {
  return { type, value: JSON.parse(toJsonText(value)) as unknown, ...(gas === undefined ? {} : { gas }) }
}

/** Makes the bytes of a transaction for an application without signatures. A bigint becomes a text of digits. */
export function encodeTransaction(content: TransactionContent): Uint8Array {
  return utf8ToBytes(toJsonText(bodyJson(content)))
}

/** Creates the account of a private key. */
export function accountOf(privateKey: PrivateKey): Account {
  if (privateKey.type !== 'ed25519') {
    throw new AppError(APP_ERRORS.transaction, `accounts have ed25519 keys, got ${privateKey.type}`)
  }
  const key = publicKeyOf(privateKey).bytes
  return {
    address: addressOfKey(key),
    privateKey,
    sign: ({ chainId, nonce, ...content }) => {
      const body = { ...bodyJson(content), chainId, ...(nonce === undefined ? {} : { nonce }) }
      const signature = sign(privateKey, signBytes(body))
      return utf8ToBytes(toJsonText({ body, key: bytesToHex(key), signature: bytesToHex(signature) }))
    },
  }
}

/**
 * Creates a random account, or the account of a secret text: the same text gives the same account. Use a text for tests
 * only.
 */
export function createAccount(secret?: string): Account {
  return accountOf(secret === undefined ? generateEd25519() : ed25519FromSecret(utf8ToBytes(secret)))
}
