import type { Command, Option } from 'commander'
import { CLI_ERRORS, CliError } from '../errors.ts'

const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])
const FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False'])

/** Returns true if this value of a boolean flag switches the flag on. */
export const isTrue = (value: string): boolean => TRUE.has(value)

/** Returns the options of a command and of all commands below it. */
const optionsOf = (command: Command): readonly Option[] => [
  ...command.options,
  ...command.commands.flatMap((below) => optionsOf(below)),
]

/**
 * Maps each boolean flag of all commands, such as `--NAME`, to the flag with the opposite meaning, such as `--no-NAME`.
 * The value is `undefined` if there is no flag with the opposite meaning.
 */
function switchesOf(program: Command): ReadonlyMap<string, string | undefined> {
  const options = optionsOf(program)
  const opposites = new Map(
    options.filter(({ negate }) => negate).map((option) => [option.attributeName(), option.long]),
  )
  const flags = options.filter((option) => option.isBoolean())
  return new Map(flags.map((option) => [option.long ?? '', opposites.get(option.attributeName()) ?? undefined]))
}

/**
 * Returns the arguments for commander without the values of boolean flags. `--NAME=true` becomes `--NAME`.
 * `--NAME=false` becomes the flag with the opposite meaning, such as `--no-NAME`, or is removed if no flag has the
 * opposite meaning. The reference accepts values of boolean flags, but commander does not. If a flag is repeated, its
 * last value counts. Throws `CLI_USAGE` if a value is not a boolean.
 */
export function withoutSwitchValues(program: Command, tokens: readonly string[]): string[] {
  const switches = switchesOf(program)
  const end = tokens.indexOf('--')
  const flagTokens = end < 0 ? tokens : tokens.slice(0, end)
  let kept: string[] = []
  for (const token of flagTokens) {
    const [, flag = '', value = ''] = /^(--[^=]+)=(.*)$/s.exec(token) ?? []
    if (!switches.has(flag)) kept.push(token)
    else if (TRUE.has(value)) kept.push(flag)
    else if (FALSE.has(value)) {
      const off = switches.get(flag)
      kept = [...kept.filter((each) => each !== flag), ...(off === undefined ? [] : [off])]
    } else {
      const expected = 'true or false is expected, and the flag without a value means true'
      throw new CliError(CLI_ERRORS.usage, `invalid argument ${JSON.stringify(value)} for "${flag}" flag: ${expected}`)
    }
  }
  return [...kept, ...tokens.slice(flagTokens.length)]
}
