import { utf8ToBytes } from '@org/types/bytes'
import { KVSTORE_ERRORS, KvStoreError } from './errors.ts'
import { isRulesName, type RulesName } from './rules/index.ts'

/** What is stored beside the state. A database of the Go node has no such record; the Go node does not mind it. */
export interface Meta {
  readonly rules: RulesName
  /** The types of keys that the chain allows for validators. */
  readonly keyTypes: readonly string[]
}

/** Taken when nobody said what the chain allows: a state that the Go node wrote. */
export const ANY_KEY_TYPES: readonly string[] = ['ed25519', 'secp256k1']

export function encodeMeta(meta: Meta): Uint8Array {
  return utf8ToBytes(JSON.stringify(meta))
}

/** Throws `KVSTORE_BAD_STATE`. */
export function decodeMeta(bytes: Uint8Array): Meta {
  const text = new TextDecoder().decode(bytes)
  try {
    const { rules, keyTypes } = JSON.parse(text) as { rules: string; keyTypes: readonly string[] }
    if (isRulesName(rules) && Array.isArray(keyTypes)) return { rules, keyTypes }
  } catch {
    // Said below.
  }
  throw new KvStoreError(KVSTORE_ERRORS.badState, 'the stored rules are not readable: made by a newer version?', {
    data: { text: text.slice(0, 100) },
  })
}
