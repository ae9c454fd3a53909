import { APP_ERRORS, AppError } from '../errors.ts'

/** The JSON of a value, with each bigint as a text of digits. Throws an {@link AppError} if the value has no JSON. */
export function toJsonText(value: unknown): string {
  const text = JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? String(item) : item)) as
    | string
    | undefined
  if (text === undefined) {
    throw new AppError(
      APP_ERRORS.transaction,
      `a value of the type ${typeof value} cannot be written as JSON: use objects, lists, text or numbers`,
    )
  }
  return text
}

export const fromJsonText = (text: string): unknown => JSON.parse(text) as unknown

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
