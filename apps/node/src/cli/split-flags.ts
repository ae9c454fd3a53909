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
])
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])

/**
 * Takes the configuration's flags (`--rpc.laddr=…`, `--rpc.laddr …`) out of the arguments; if a flag is repeated, its
 * last value counts.
 */
export function splitFlags(argv: readonly string[]): SplitArguments {
  const flags = new Map<string, string>()
  const rest: string[] = []
  let home: string | undefined
  let trace = false
  for (let index = 0; index < argv.length; index++) {
    const token = argv[index] ?? ''
    if (token === '--') {
      rest.push(...argv.slice(index))
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
    else if (given !== undefined && SWITCHES.has(`--${name}`))
      rest.push(...(TRUE.has(given) ? [`--${name}`] : [`--no-${name}`]))
    else rest.push(token)
  }
  return { flags, home, trace, rest }
}
