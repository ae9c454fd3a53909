import type { ValidatorUpdate } from '@org/types/abci'

/** The names of the rules for transactions. */
export const RULES = ['first-equals', 'document', 'v0.38'] as const

/**
 * `first-equals`: the first `=` splits a transaction into key and value. A transaction without `=` is both key and
 * value. `document`: only a transaction with exactly one `=`, and with bytes on both sides of the `=`, is split. Every
 * other transaction is both key and value. `v0.38`: the reference's stricter format, byte for byte.
 */
export type RulesName = (typeof RULES)[number]

/** The default rules for a new state. */
export const DEFAULT_RULES: RulesName = 'first-equals'

/**
 * Returns whether a state that was made under the rules `stored` may be opened when the rules `wanted` are requested.
 */
export function mayOpen(stored: RulesName, wanted: RulesName): boolean {
  return stored === wanted || (stored === 'document' && wanted === 'first-equals')
}

/** Returns true if the text is the name of a set of rules for transactions, such as `first-equals`. */
export function isRulesName(text: string): text is RulesName {
  return (RULES as readonly string[]).includes(text)
}

/** The effect of a transaction in a block: it stores a pair, changes a validator, or causes an error. */
export type Action =
  | { readonly kind: 'pair'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly kind: 'validator'; readonly update: ValidatorUpdate }
  /** The transaction is not executed. Its result has an error code. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** The transaction is executed, but its block cannot be committed. */
  | { readonly kind: 'fault'; readonly reason: string }

export interface Pair {
  readonly key: Uint8Array
  readonly value: Uint8Array
}

/** The parts of the state that rules need. */
export interface RulesContext {
  /** The types of keys that the chain allows for validators. */
  readonly keyTypes: () => readonly string[]
  /** The validators before the block. */
  readonly validators: () => readonly ValidatorUpdate[]
}

/** A set of rules for transactions. The sets differ only in these members. */
export interface Rules {
  readonly name: RulesName
  /** Whether the mempool and a proposal accept the transaction. */
  readonly accepts: (tx: Uint8Array) => boolean
  /** Returns an accepted transaction in the form in which it is proposed. */
  readonly proposed: (tx: Uint8Array) => Uint8Array
  /** Returns the effect of a transaction in a block. Throws `KVSTORE_BAD_TRANSACTION` where the reference panics. */
  readonly action: (tx: Uint8Array) => Action
  /**
   * Called for a transaction that stores no pair, such as a change of a validator. Returns the key and the value that
   * the attributes of the transaction's event show.
   */
  readonly eventPair: (tx: Uint8Array) => Pair
  /** Takes all validator changes of a block, and returns the changes that are sent to the node. */
  readonly acceptUpdates: (updates: readonly ValidatorUpdate[]) => readonly ValidatorUpdate[]
  /**
   * True if `Info` and `Query` show the effects of a block after `FinalizeBlock`, as in the reference. False if they
   * show the effects only after `Commit`.
   */
  readonly showsUncommitted: boolean
  /**
   * True if a block cannot be executed when it reports misbehaviour of an unknown validator. False if the report is
   * ignored.
   */
  readonly requiresKnownValidators: boolean
}
