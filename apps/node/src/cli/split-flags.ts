import { CONFIG_KEYS } from '../config/index.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { isTrue } from './switches.ts'

export interface SplitArguments {
  /** The values of configuration keys, by the path of the key, such as `rpc.laddr`. */
  readonly flags: ReadonlyMap<string, string>
  readonly home: string | undefined
  /** Whether to print a stack trace with an error. */
  readonly trace: boolean
  /** The arguments without `--home`, `--trace` and the flags of configuration keys. The command receives this list. */
  readonly remaining: readonly string[]
}

/**
 * Returns the name of a flag with each `-` replaced by `_`, because the names with `-` and with `_` mean the same flag.
 */
const sameName = (name: string): string => name.replaceAll('-', '_')

/** The keys of config.toml by the name of their flag. The key `version` has no flag: `--version` prints the version. */
const BY_NAME = new Map(
  CONFIG_KEYS.filter(({ path }) => path !== 'version').map((place) => [sameName(place.path), place] as const),
)

/**
 * Takes the configuration's flags (`--rpc.laddr=…`, `--rpc.laddr …`) out of the arguments; if a flag is repeated, its
 * last value counts.
 */
export function splitFlags(argv: readonly string[]): SplitArguments {
  const flags = new Map<string, string>()
  let remaining: string[] = []
  let home: string | undefined
  let trace = false
  for (let index = 0; index < argv.length; index++) {
    const token = argv[index] ?? ''
    if (token === '--') {
      remaining = remaining.concat(argv.slice(index))
      break
    }
    const [, name = '', given] = /^--([^=]+)(?:=(.*))?$/s.exec(token) ?? []
    const takeValue = (): string => {
      if (given !== undefined) return given
      const next = argv[++index]
      if (next === undefined) throw new CliError(CLI_ERRORS.usage, `flag needs an argument: --${name}`)
      return next
    }
    const place = BY_NAME.get(sameName(name))
    if (name === 'home') home = takeValue()
    else if (name === 'trace') trace = given === undefined || isTrue(given)
    else if (place !== undefined) flags.set(place.path, place.key.kind.bare === true ? (given ?? 'true') : takeValue())
    else remaining.push(token)
  }
  return { flags, home, trace, remaining }
}
