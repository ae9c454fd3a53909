import { PLACES } from '../config/index.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'

export interface SplitArguments {
  /** Values of configuration keys by path. */
  readonly flags: ReadonlyMap<string, string>
  readonly home: string | undefined
  /** Whether to print a stack trace with an error. */
  readonly trace: boolean
  /** All other arguments, which the command receives. */
  readonly rest: readonly string[]
}

/** Returns the name of a flag with `_` for `-`, because both mean the same flag. */
const sameName = (name: string): string => name.replaceAll('-', '_')

/** The keys of config.toml by the name of their flag. The key `version` has no flag: `--version` prints the version. */
const BY_NAME = new Map(
  PLACES.filter(({ path }) => path !== 'version').map((place) => [sameName(place.path), place] as const),
)
/** Flags of single commands that need no value. The reference also accepts a value: `--hard=true`. commander does not. */
const SWITCHES: ReadonlySet<string> = new Set([
  '--verbose',
  '--hard',
  '--keep-addr-book',
  '--populate-persistent-peers',
  '--random-monikers',
  '--ephemeral',
  '--log',
  '--reset',
  '--sequential',
  '--yes',
  '--statesync',
  '--open',
  '--watch',
  '--control',
  '--remote-control',
  '--devnet',
  '--stay-up',
  '--write',
])
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])
const FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False'])
/**
 * The only boolean flag whose default is true. Commander has another flag that switches it off: the same name after
 * `--no-`.
 */
const ON_BY_DEFAULT = '--populate-persistent-peers'

/**
 * Adds a boolean flag with a value, such as `--NAME=true`, to the arguments for commander. If the flag stands several
 * times, its last value counts. Returns all arguments. Throws `CLI_USAGE` if the value is not a boolean.
 */
function withSwitch(before: readonly string[], flag: string, value: string): string[] {
  if (TRUE.has(value)) return [...before, flag]
  if (!FALSE.has(value)) {
    const expected = 'true or false is expected, and the flag without a value means true'
    throw new CliError(CLI_ERRORS.usage, `invalid argument ${JSON.stringify(value)} for "${flag}" flag: ${expected}`)
  }
  const off = flag === ON_BY_DEFAULT ? [flag.replace('--', '--no-')] : []
  return [...before.filter((token) => token !== flag), ...off]
}

/**
 * Takes the configuration's flags (`--rpc.laddr=…`, `--rpc.laddr …`) out of the arguments; if a flag is repeated, its
 * last value counts.
 */
export function splitFlags(argv: readonly string[]): SplitArguments {
  const flags = new Map<string, string>()
  let rest: string[] = []
  let home: string | undefined
  let trace = false
  for (let index = 0; index < argv.length; index++) {
    const token = argv[index] ?? ''
    if (token === '--') {
      rest = rest.concat(argv.slice(index))
      break
    }
    const [, name = '', given] = /^--([^=]+)(?:=(.*))?$/s.exec(token) ?? []
    const take = (): string => {
      if (given !== undefined) return given
      const next = argv[++index]
      if (next === undefined) throw new CliError(CLI_ERRORS.usage, `flag needs an argument: --${name}`)
      return next
    }
    const place = BY_NAME.get(sameName(name))
    if (name === 'home') home = take()
    else if (name === 'trace') trace = given === undefined || TRUE.has(given)
    else if (place !== undefined) flags.set(place.path, place.key.kind.bare === true ? (given ?? 'true') : take())
    else if (given !== undefined && SWITCHES.has(`--${name}`)) rest = withSwitch(rest, `--${name}`, given)
    else rest.push(token)
  }
  return { flags, home, trace, rest }
}
