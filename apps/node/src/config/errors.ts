import { CodedError } from '@org/runtime/errors'

/** The codes of {@link ConfigError}. */
export const CONFIG_ERRORS = {
  unreadable: 'CONFIG_UNREADABLE',
  syntax: 'CONFIG_SYNTAX',
  value: 'CONFIG_VALUE',
  flagArgument: 'CONFIG_FLAG_ARGUMENT',
  notBuilt: 'CONFIG_NOT_BUILT',
} as const

/**
 * An error in the configuration. `data` has the source (a file, a variable or a flag), the key, and the allowed values.
 */
export class ConfigError extends CodedError<(typeof CONFIG_ERRORS)[keyof typeof CONFIG_ERRORS]> {}

/** Shortens a wrong value to fit into one line. */
function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? String(value))
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

export interface WrongValue {
  readonly source: string
  readonly key: string
  readonly value: unknown
  readonly allowed: string
}

export function wrongValue({ source, key, value, allowed }: WrongValue): ConfigError {
  const text = shown(value)
  return new ConfigError(CONFIG_ERRORS.value, `error in config: ${source}: ${key} = ${text}: must be ${allowed}`, {
    data: { source, key, value: text, allowed },
  })
}
