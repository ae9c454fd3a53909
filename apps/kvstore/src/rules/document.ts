import type { ValidatorUpdate } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import type { Action, Pair, Rules, RulesContext, RulesName } from './rules.ts'
import { countByte, pairAtOnlyEquals } from './split-tx.ts'
import { hasKeyOfRightSize, hasValidatorPrefix, parseValidatorTx, validatorUpdateOf } from './validator-tx.ts'

/** The reference's limit for the sum of all powers; a greater sum would stop the chain. */
const MAX_TOTAL_POWER = (2n ** 63n - 1n) / 8n
const BANG = 0x21

/**
 * True if a transaction changes a validator: it begins with `val=`, and three parts with `!` between them follow.
 * `val=5` is an ordinary pair.
 */
function isValidatorTx(tx: Uint8Array): boolean {
  return hasValidatorPrefix(tx) && countByte(tx, BANG) === 2
}

const idOf = ({ pubKey }: ValidatorUpdate): string => `${pubKey.type}/${bytesToHex(pubKey.bytes)}`

/**
 * Returns the changes of validators that the node receives. If a block changes one validator several times, only the
 * last change counts. Leaves out each change that would stop a node: the removal of an unknown validator or of the last
 * validator, and a change that makes the sum of all powers too large.
 */
function acceptUpdates(updates: readonly ValidatorUpdate[], context: RulesContext): readonly ValidatorUpdate[] {
  if (updates.length === 0) return updates
  const last = new Map(updates.map((update) => [idOf(update), update]))
  const powers = new Map(context.validators().map((validator) => [idOf(validator), validator.power]))
  // The node applies additions before removals, so the power that a removal frees cannot be used by an addition in the
  // same block.
  let maxTotal = [...powers.values()].reduce((sum, power) => sum + power, 0n)
  const accepted: ValidatorUpdate[] = []
  for (const [id, update] of last) {
    const before = powers.get(id)
    if (update.power === 0n) {
      if (before === undefined || powers.size === 1) continue
      powers.delete(id)
    } else {
      const after = maxTotal - (before ?? 0n) + update.power
      if (after > MAX_TOTAL_POWER) continue
      maxTotal = after
      powers.set(id, update.power)
    }
    accepted.push(update)
  }
  return accepted
}

/**
 * The parts in which two sets of rules differ. The names of these sets are `document` and `first-equals`. The project's
 * service document permits both sets.
 */
export interface RuleVariant {
  readonly name: RulesName
  /** Returns the key and the value of a transaction that does not change a validator. */
  readonly pairOf: (tx: Uint8Array) => Pair
}

/**
 * Creates the rules `document` or the rules `first-equals`. Under these rules, no transaction can stop the chain: an
 * invalid transaction gets an error code and is not executed. No change of a validator can stop the chain either: the
 * rules leave out each change that would stop a node.
 */
export function createDocumentRules({ name, pairOf }: RuleVariant, context: RulesContext): Rules {
  function action(tx: Uint8Array): Action {
    if (tx.length === 0) return { kind: 'invalid', reason: 'an empty transaction' }
    if (!isValidatorTx(tx)) return { kind: 'pair', ...pairOf(tx) }
    const parsed = parseValidatorTx(tx)
    const update = parsed === undefined ? undefined : validatorUpdateOf(parsed)
    if (update === undefined || !hasKeyOfRightSize(update) || update.power > MAX_TOTAL_POWER) {
      return { kind: 'invalid', reason: 'expected val=keytype!base64 key!power' }
    }
    if (!context.keyTypes().includes(update.pubKey.type)) {
      return { kind: 'invalid', reason: `the chain does not allow ${update.pubKey.type} keys` }
    }
    return { kind: 'validator', update }
  }

  return {
    name,
    // `accepts` is called several times for each transaction. To save time, it parses only transactions that change a
    // validator.
    accepts: (tx) => (isValidatorTx(tx) ? action(tx).kind !== 'invalid' : tx.length > 0),
    proposed: (tx) => tx,
    action,
    // `eventPair` is called only for a transaction that changes a validator. The events of such a transaction are the
    // same as in the reference.
    eventPair: pairAtOnlyEquals,
    acceptUpdates: (updates) => acceptUpdates(updates, context),
    showsUncommitted: false,
    requiresKnownValidators: false,
  }
}
