import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** An invalid command line. */
export class UsageError extends Error {}

/** The options of a command. Throws a {@link UsageError} for others. */
export function optionsOf(args: readonly string[], options: ParseArgsOptionsConfig): Record<string, unknown> {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** A number of an option, or `otherwise` if it is not given. */
export function numberOf(value: unknown, name: string, otherwise: number): number {
  if (value === undefined) return otherwise
  const number = Number(value)
  if (!(number > 0)) throw new UsageError(`--${name} ${value}: a number above 0 is expected`)
  return number
}

/** The names in an option, all of which must be in `known`. */
export function namesOf(value: unknown, known: readonly string[], what: string): readonly string[] {
  if (typeof value !== 'string') return []
  const names = value.split(',')
  const wrong = names.find((name) => !known.includes(name))
  if (wrong !== undefined) throw new UsageError(`there is no ${what} '${wrong}'; the names are: ${known.join(', ')}`)
  return names
}
