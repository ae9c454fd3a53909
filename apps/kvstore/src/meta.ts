import { type Logger, noopLogger } from '@org/runtime'
import { utf8ToBytes } from '@org/types/bytes'
import { KVSTORE_ERRORS, KvStoreError } from './errors.ts'
import { isRulesName, mayOpen, type RulesName } from './rules/index.ts'
import { META_KEY, STATE_KEY } from './state.ts'
import type { KeyValueStorage } from './store/index.ts'

/** The record that names the rules of the state. Only Halley writes this record; the Go node ignores it. */
export interface Meta {
  readonly rules: RulesName
  /** The types of keys that the chain allows for validators. */
  readonly keyTypes: readonly string[]
}

/**
 * The types of validator keys that are accepted if the parameters of the chain are unknown. They are unknown, for
 * example, for a state that the Go node wrote.
 */
export const ANY_KEY_TYPES: readonly string[] = ['ed25519', 'secp256k1']

export function encodeMeta(meta: Meta): Uint8Array {
  return utf8ToBytes(JSON.stringify(meta))
}

/** Reads the record that names the rules for transactions. Throws `KVSTORE_BAD_STATE` if the record is invalid. */
export function decodeMeta(bytes: Uint8Array): Meta {
  const text = new TextDecoder().decode(bytes)
  try {
    const { rules, keyTypes } = JSON.parse(text) as { rules: string; keyTypes: readonly string[] }
    if (isRulesName(rules) && Array.isArray(keyTypes)) return { rules, keyTypes }
  } catch {
    // The record is not JSON. The function throws the error below, as for a record with unknown rules.
  }
  throw new KvStoreError(
    KVSTORE_ERRORS.badState,
    'the stored record of the rules for transactions is invalid or names unknown rules: use the version of the application that made this state, or a new folder',
    {
      data: { text: text.slice(0, 100) },
    },
  )
}

/**
 * Returns the stored record that names the rules for transactions. Returns `undefined` for a new database, and for a
 * database that the Go node wrote. The parameter `rules` is the name of the requested rules.
 *
 * Throws `KVSTORE_OTHER_RULES` if the stored name differs from the requested name. One difference is allowed: the
 * stored name is `document`, and the requested name is `first-equals`. The rules `document` then continue to apply, and
 * a warning is logged.
 */
export function readMeta(
  store: KeyValueStorage,
  { rules, logger = noopLogger }: { readonly rules: RulesName; readonly logger?: Logger },
): Meta | undefined {
  const record = store.get(META_KEY)
  const meta = record === undefined ? undefined : decodeMeta(record)
  if (meta !== undefined && !mayOpen(meta.rules, rules)) {
    throw new KvStoreError(
      KVSTORE_ERRORS.otherRules,
      `the state was made under the rules "${meta.rules}" and cannot be opened under "${rules}": start with --rules ${meta.rules}, or with --home and a new folder`,
      { data: { stored: meta.rules, wanted: rules } },
    )
  }
  if (meta !== undefined && meta.rules !== rules) {
    logger.warn(
      `the state was made under the rules "${meta.rules}", and these rules continue to apply, because a chain keeps its rules; for the rules "${rules}", start a new chain in a new folder`,
    )
  }
  // The Go node writes no record about rules. The transactions that it has committed mean the same under all rules, so
  // any rules may be used from now on.
  if (meta === undefined && rules !== 'v0.38' && store.get(STATE_KEY) !== undefined) {
    logger.warn(`the Go node wrote this state; from now on, the application's rules "${rules}" apply`)
  }
  return meta
}
