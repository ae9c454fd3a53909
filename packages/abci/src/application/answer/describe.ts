import { isPlainObject } from '../names.ts'

const MAX_TEXT = 40
const MAX_NAMES = 5

/** Describes a value in a few words, for an error that refuses the value. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing (undefined)'
  if (value === null) return 'null'
  if (typeof value === 'string') return `text ${textOf(value)}`
  if (typeof value === 'bigint') return `bigint ${shortened(value.toString())}n`
  if (typeof value === 'number' || typeof value === 'boolean') return `${typeof value} ${value}`
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object') return describeObject(value)
  return typeof value
}

function describeObject(value: object): string {
  if (value instanceof Uint8Array) return `${value.length} bytes`
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (value instanceof Promise) return 'a promise'
  const kind = kindOf(value)
  if (value instanceof Error || kind === 'Error') {
    return `an Error with the message ${textOf((value as Partial<Error>).message)}`
  }
  if (kind !== 'Object') return `an object of the type ${kind.slice(0, MAX_TEXT)}`
  const names = Object.keys(value)
  const what = isPlainObject(value) ? 'an object' : `an instance of ${classNameOf(value)}`
  if (names.length === 0) return `${what} without members`
  const shown = names.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_TEXT))
  return `${what} with ${shown.join(', ')}${names.length > MAX_NAMES ? ', …' : ''}`
}

/**
 * Returns the built-in type of an object, such as `Map` or `Date`; `Object` for literals and for instances of classes.
 */
export function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}

function classNameOf(value: object): string {
  const made: unknown = value.constructor
  return typeof made === 'function' && made.name !== '' ? made.name.slice(0, MAX_TEXT) : 'a class without a name'
}

function textOf(text: unknown): string {
  const given = String(text)
  return `${JSON.stringify(given.slice(0, MAX_TEXT))}${given.length > MAX_TEXT ? '…' : ''}`
}

function shortened(digits: string): string {
  return digits.length > MAX_TEXT ? `${digits.slice(0, MAX_TEXT)}…` : digits
}
