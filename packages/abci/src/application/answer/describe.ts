const MAX_TEXT = 40
const MAX_NAMES = 5

/** Describes a value in a few words, for an error that refuses the value. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing (undefined)'
  if (value === null) return 'null'
  if (typeof value === 'string')
    return `text ${JSON.stringify(value.slice(0, MAX_TEXT))}${value.length > MAX_TEXT ? '…' : ''}`
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
  const names = Object.keys(value)
  if (names.length === 0) return `an object without members`
  const shown = names.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_TEXT))
  return `an object with ${shown.join(', ')}${names.length > MAX_NAMES ? ', …' : ''}`
}

function shortened(digits: string): string {
  return digits.length > MAX_TEXT ? `${digits.slice(0, MAX_TEXT)}…` : digits
}
