import { compareDecimals, type Decimal } from '../../events/query/index.ts'

export interface Bound {
  readonly value: Decimal
  readonly inclusive: boolean
}

export interface NumberRange {
  readonly lower?: Bound
  readonly upper?: Bound
}

/** A test that the value of an attribute must pass. */
export type ValueTest =
  | { readonly kind: 'equals'; readonly text: string }
  /**
   * A test for the keys of transactions only: in the key `app.key/VALUE/5/0`, the text after `app.key/` must begin with
   * `path`.
   */
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'exists' }
  | { readonly kind: 'contains'; readonly text: string }
  | { readonly kind: 'range'; readonly range: NumberRange }
  | { readonly kind: 'matches'; readonly matches: (value: string) => boolean }
  /** A test of the height only: the height of the transaction or block must be in the search's interval of heights. */
  | { readonly kind: 'height' }
  | { readonly kind: 'never' }

export interface AttributeCondition {
  readonly tag: string
  readonly test: ValueTest
}

/** An interval of heights; both ends belong to it. */
export interface HeightInterval {
  readonly min: number
  readonly max: number
  /** The decimal form of the height must contain each of these texts. */
  readonly contains?: readonly string[]
}

export const ALL_HEIGHTS: HeightInterval = { min: 0, max: Number.MAX_SAFE_INTEGER }
export const NO_HEIGHTS: HeightInterval = { min: 1, max: 0 }

/**
 * A query in the form that `runSearch` executes: conditions that must hold in one event, whose height must be in an
 * interval.
 */
export interface SearchQuery {
  readonly heights: HeightInterval
  /** The conditions on attributes. A search without such a condition finds nothing. */
  readonly conditions: readonly AttributeCondition[]
  /** Only for transactions: a test that the transaction's hash must pass too. The hash is given in upper-case hex. */
  readonly hash?: (hex: string) => boolean
}

export function inHeights(height: number, { min, max, contains }: HeightInterval): boolean {
  if (height < min || height > max) return false
  return contains === undefined || contains.every((text) => String(height).includes(text))
}

export function inRange(value: Decimal, { lower, upper }: NumberRange): boolean {
  if (lower !== undefined) {
    const order = compareDecimals(value, lower.value)
    if (order < 0 || (order === 0 && !lower.inclusive)) return false
  }
  if (upper !== undefined) {
    const order = compareDecimals(value, upper.value)
    if (order > 0 || (order === 0 && !upper.inclusive)) return false
  }
  return true
}
