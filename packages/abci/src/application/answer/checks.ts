import { utf8ToBytes } from '@org/types/bytes'
import * as schema from '@org/types/schema'
import { describe } from './describe.ts'

/** An error about an invalid member of an answer. The application's host turns it into a coded error. */
export class WrongAnswer extends Error {
  readonly field: string
  readonly wanted: string
  readonly given: string

  constructor(field: string, wanted: string, value: unknown) {
    const given = describe(value)
    super(`${field === '' ? 'the answer' : field} must be ${wanted}, got ${given}`)
    this.field = field
    this.wanted = wanted
    this.given = given
  }
}

/**
 * The check of one value of an answer. The function `fits` is called first. It returns true if the value needs no
 * change, which is the usual case. If `fits` returns false, the function `convert` is called, which converts the value
 * or throws.
 */
export interface Check {
  readonly fits: (value: unknown) => boolean
  /**
   * Returns the value in its complete form, for example a bigint in place of a number. Throws {@link WrongAnswer} if
   * the value is invalid. `field` is the position of the value in the answer.
   */
  readonly convert: (value: unknown, field: string) => unknown
}

const MAX_UINT32 = 2 ** 32 - 1

/** Makes a check that never changes a value: it accepts the value as it is, or refuses it. */
function plain(wanted: string, fits: Check['fits']): Check {
  return {
    fits,
    convert: (value, field) => {
      if (fits(value)) return value
      throw new WrongAnswer(field, wanted, value)
    },
  }
}

/** The check of bytes. A text becomes its UTF-8 bytes; it is never read as hex or base64. */
export const BYTES: Check = {
  fits: (value) => value instanceof Uint8Array,
  convert: (value, field) => {
    if (value instanceof Uint8Array) return value
    if (typeof value === 'string') return utf8ToBytes(value)
    throw new WrongAnswer(field, 'bytes (a Uint8Array, or text, which is encoded as UTF-8)', value)
  },
}

const TEXT = plain('text (a string)', (value) => typeof value === 'string')
const BOOL = plain('true or false', (value) => typeof value === 'boolean')

/** Makes the check of an integer of 64 bits. The check converts a safe integer of the type `number` to a bigint. */
function bigInteger(min: bigint, max: bigint): Check {
  const fits = (value: unknown): boolean => typeof value === 'bigint' && value >= min && value <= max
  const wanted = `a whole number${min === 0n ? ' from 0' : ''} of 64 bits (a bigint, or a number that is a safe integer)`
  return {
    fits,
    convert: (value, field) => {
      const integer = Number.isSafeInteger(value) ? BigInt(value as number) : value
      if (fits(integer)) return integer
      throw new WrongAnswer(field, wanted, value)
    },
  }
}

/**
 * Makes the check of an integer of the type `number`. A bigint that is in the permitted range is converted to a
 * `number`.
 */
function numberInteger(min: number, max: number): Check {
  const fits = (value: unknown): boolean =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
  return {
    fits,
    convert: (value, field) => {
      const integer = typeof value === 'bigint' ? Number(value) : value
      if (fits(integer)) return integer
      throw new WrongAnswer(field, `a whole number from ${min} to ${max}`, value)
    },
  }
}

/** Makes the check of a value of an enumeration. `names` has the names of the enumeration and their values. */
export function oneOfEnum(names: Readonly<Record<string, number>>): Check {
  const values = new Set<unknown>(Object.values(names))
  const list = Object.entries(names).map(([name, value]) => `${value} (${name})`)
  const { fits, convert } = plain(`one of ${list.join(', ')}`, (value) => values.has(value))
  return { fits, convert: (value, field) => convert(typeof value === 'bigint' ? Number(value) : value, field) }
}

const INT64 = bigInteger(-(2n ** 63n), 2n ** 63n - 1n)

/** The checks of values that are not messages, by the codec of the value. */
export const SCALARS: ReadonlyMap<schema.Codec<never>, Check> = new Map<schema.Codec<never>, Check>([
  [schema.bytes as never, BYTES],
  [schema.string as never, TEXT],
  [schema.bool as never, BOOL],
  [schema.int64 as never, INT64],
  [schema.duration as never, INT64],
  [schema.uint64 as never, bigInteger(0n, 2n ** 64n - 1n)],
  [schema.safeInt64 as never, numberInteger(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)],
  [schema.safeUint64 as never, numberInteger(0, Number.MAX_SAFE_INTEGER)],
  [schema.int32 as never, numberInteger(-(2 ** 31), 2 ** 31 - 1)],
  [schema.uint32 as never, numberInteger(0, MAX_UINT32)],
])
