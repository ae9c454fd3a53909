import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** The error for an invalid command line. */
export class UsageError extends Error {}

/** Returns the options of a command. Throws a {@link UsageError} for an option that the command does not have. */
export function optionsOf(args: readonly string[], options: ParseArgsOptionsConfig): Record<string, unknown> {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** Returns the value of an option as a number above 0, or `otherwise` if the option is missing. */
export function numberOf(value: unknown, name: string, otherwise: number): number {
  if (value === undefined) return otherwise
  const number = Number(value)
  if (!(number > 0)) throw new UsageError(`--${name} ${value}: a number above 0 is expected`)
  return number
}

/** Returns the names in the value of an option. Throws a {@link UsageError} for a name that is not in `known`. */
export function namesOf(value: unknown, known: readonly string[], what: string): readonly string[] {
  if (typeof value !== 'string') return []
  const names = value.split(',')
  const wrong = names.find((name) => !known.includes(name))
  if (wrong !== undefined) throw new UsageError(`there is no ${what} '${wrong}'; the names are: ${known.join(', ')}`)
  return names
}
