import { KVSTORE_ERRORS, KvStoreError } from '../errors.ts'
import type { Action, Rules } from './rules.ts'
import { COLON, countByte, EQUALS, halvesOf, splitsOnce } from './split-tx.ts'
import { hasValidatorPrefix, parseValidatorTx, validatorUpdateOf } from './validator-tx.ts'

/** True if a transaction has exactly one `=` and no `:`, or exactly one `:` and no `=`, with bytes on both sides. */
function isPair(tx: Uint8Array): boolean {
  const separator = countByte(tx, EQUALS) === 0 ? COLON : EQUALS
  const other = separator === COLON ? EQUALS : COLON
  return countByte(tx, other) === 0 && splitsOnce(tx, separator)
}

function refuse(reason: string): never {
  throw new KvStoreError(KVSTORE_ERRORS.badTransaction, reason)
}

function action(tx: Uint8Array): Action {
  if (hasValidatorPrefix(tx)) {
    const parsed = parseValidatorTx(tx) ?? refuse("expected 'pubkeytype!pubkey!power'")
    return {
      kind: 'validator',
      update: validatorUpdateOf(parsed) ?? refuse(`key type ${parsed.keyType} not supported`),
    }
  }
  // The reference executes every transaction of a block, and crashes at Commit if a transaction does not have exactly
  // one `=`.
  if (countByte(tx, EQUALS) === 1) return { kind: 'pair', ...halvesOf(tx) }
  return { kind: 'fault', reason: 'unexpected tx format: expected one "="' }
}

/** The rules of the reference's example application. */
export const V038_RULES: Rules = {
  name: 'v0.38',
  accepts: (tx) => (hasValidatorPrefix(tx) ? parseValidatorTx(tx) !== undefined : isPair(tx)),
  proposed: (tx) => {
    const at = tx.indexOf(COLON)
    return at < 0 ? tx : tx.with(at, EQUALS)
  },
  action,
  eventPair: (tx) => (countByte(tx, EQUALS) === 1 ? halvesOf(tx) : { key: tx, value: tx }),
  acceptUpdates: (updates) => updates,
  showsUncommitted: true,
  requiresKnownValidators: true,
}
