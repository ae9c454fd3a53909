import { describeValue } from '@org/abci'
import { CHAIN_ERRORS, ChainError } from './errors.ts'

export function badOption(message: string): ChainError {
  return new ChainError(CHAIN_ERRORS.badOption, message)
}

/**
 * The error for a value of the wrong kind. `name` names an option, or a method and one of its arguments, such as
 * `query: path`.
 */
export function wrongValue(name: string, wanted: string, value: unknown): ChainError {
  return badOption(`${name} must be ${wanted}, got ${describeValue(value)}`)
}

/** Throws a {@link ChainError} if `value` is not a whole number in this range. */
export function checkWhole(name: string, value: number, [least, most]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw badOption(`${name} is ${shown(value)}: it must be a whole number from ${least} to ${most}`)
}

/** Returns a value as an error shows it: a number with its digits, and any other value only by its kind. */
export function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : describeValue(value)
}

/** Throws a {@link ChainError} if `given` has a member that `known` does not have. */
export function checkNames(what: string, given: object, known: object): void {
  const names = Object.keys(known)
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue
    const meant = names.find((each) => each.toLowerCase() === name.toLowerCase().replaceAll('_', ''))
    const hint = meant === undefined ? `the names are ${names.join(', ')}` : `write ${meant}`
    throw badOption(`${what} ${name} does not exist: ${hint}`)
  }
}

/** Throws a {@link ChainError} if `value` is not an object with named members. */
export function checkObject(name: string, value: unknown, example: string): asserts value is object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return
  throw wrongValue(name, `an object such as ${example}`, value)
}

/** Throws a {@link ChainError} if `value` is neither text nor bytes. */
export function checkTextOrBytes(name: string, value: unknown): void {
  if (typeof value === 'string' || value instanceof Uint8Array) return
  throw wrongValue(name, 'text, which is encoded as UTF-8, or bytes (a Uint8Array)', value)
}

/** Throws a {@link ChainError} if `value` is not text. */
export function checkText(name: string, value: unknown, example: string): asserts value is string {
  if (typeof value !== 'string') throw wrongValue(name, `text such as ${example}`, value)
}

/** Throws a {@link ChainError} if a hash is not bytes. The number of its bytes is not checked. */
export function checkHash(name: string, value: unknown): void {
  if (value instanceof Uint8Array) return
  throw wrongValue(name, 'bytes (a Uint8Array), such as the hash that broadcast returns', value)
}

/** Throws a {@link ChainError} if a height is given that is not a whole number. */
export function checkHeight(name: string, value: number | undefined): void {
  if (value === undefined || Number.isSafeInteger(value)) return
  throw wrongValue(name, 'a height (a whole number)', value)
}
