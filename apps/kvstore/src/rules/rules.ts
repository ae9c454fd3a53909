import type { ValidatorUpdate } from '@org/types/abci'

export const RULES = ['first-equals', 'document', 'v0.38'] as const

/**
 * `first-equals`: the first `=` splits a transaction into key and value; without one all bytes are both.
 * `document`: the rule before `first-equals`. Exactly one `=` with something on both sides splits; anything else is both.
 * `v0.38`: the reference's stricter format, byte for byte.
 */
export type RulesName = (typeof RULES)[number]

/** The default rules for a new state. */
export const DEFAULT_RULES: RulesName = 'first-equals'

/** Returns whether a state with the rules `stored` may be opened when the rules `wanted` are asked for. */
export function mayOpen(stored: RulesName, wanted: RulesName): boolean {
  return stored === wanted || (stored === 'document' && wanted === 'first-equals')
}

export function isRulesName(text: string): text is RulesName {
  return (RULES as readonly string[]).includes(text)
}

/** The effect of a transaction. */
export type Action =
  | { readonly kind: 'pair'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly kind: 'validator'; readonly update: ValidatorUpdate }
  /** The transaction is executed, with an error. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** The transaction is executed, but the block cannot be committed. */
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

/** The parts in which sets of rules differ. */
export interface Rules {
  readonly name: RulesName
  /** Whether the mempool and a proposal accept the transaction. */
  readonly accepts: (tx: Uint8Array) => boolean
  /** The form in which an accepted transaction is proposed. */
  readonly proposed: (tx: Uint8Array) => Uint8Array
  /** Returns the effect of a transaction in a block. Throws `KVSTORE_BAD_TRANSACTION` where the reference panics. */
  readonly action: (tx: Uint8Array) => Action
  /** Returns the key and the value in the events of a transaction; for a pair, its own. */
  readonly eventPair: (tx: Uint8Array) => Pair
  /** The validator changes that are returned to the node. */
  readonly acceptUpdates: (updates: readonly ValidatorUpdate[]) => readonly ValidatorUpdate[]
  /** Whether `Info` and `Query` see a block from `FinalizeBlock` on, as in the reference, or from `Commit` on. */
  readonly showsUncommitted: boolean
  /** Whether misbehaviour of an unknown validator is a fault. */
  readonly requiresKnownValidators: boolean
}
