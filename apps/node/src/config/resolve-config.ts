import { checkTogether } from './check-together.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { wrongValue } from './errors.ts'
import { camelCase } from './key.ts'
import { readConfigFile } from './read-file.ts'
import { CONFIG_KEYS, type Config, type ConfigValues } from './sections.ts'

export interface ConfigSources {
  readonly home: string
  /** Values of command-line flags by path, such as `rpc.laddr`. */
  readonly flags?: ReadonlyMap<string, string>
  readonly env?: Environment
  readonly file?: { readonly path: string; readonly text: string }
  /** Values that replace default values, by the path of their key. These values are not checked yet. */
  readonly preset?: Readonly<Record<string, unknown>>
  /**
   * Values that replace the default values and the values in the file, by the path of their key. These values are not
   * checked yet.
   */
  readonly overFile?: Readonly<Record<string, unknown>>
}

export interface ResolvedConfig {
  readonly config: Config
  /** The paths in the file that are not configuration keys. */
  readonly unknown: readonly string[]
}

type Sections = Record<string, Record<string, unknown>>

/**
 * Returns the configuration. The sources of a value are, in order of precedence: the flags, the environment,
 * `overFile`, the file, and the preset. Throws a `ConfigError`.
 */
export function resolveConfig({ home, flags, env, file, preset, overFile }: ConfigSources): ResolvedConfig {
  const read = file === undefined ? undefined : readConfigFile(file.text, file.path)
  const variables = readEnvironment(env ?? {})
  const sections: Sections = {}
  const sources = new Map<string, string>()
  for (const { section, name, path, key } of CONFIG_KEYS) {
    const variable = variables.get(path)
    let raw: unknown
    let source = ''
    if (flags?.has(path) === true) [raw, source] = [flags.get(path), `--${path}`]
    else if (variable !== undefined) [raw, source] = [variable.value, variable.name]
    else if (overFile !== undefined && path in overFile) [raw, source] = [overFile[path], 'preset']
    else if (read?.values.has(path) === true) [raw, source] = [read.values.get(path), file?.path ?? '']
    else if (preset !== undefined && path in preset) [raw, source] = [preset[path], 'preset']
    const value = source === '' ? key.fallback : key.kind.decode(raw)
    if (value === undefined) throw wrongValue({ source, key: path, value: raw, allowed: key.kind.allowed })
    sources.set(path, source === '' ? 'default' : source)
    const target = section === 'tx_index' ? 'txIndex' : section
    sections[target] = { ...sections[target], [camelCase(name)]: value }
  }
  const config: Config = { ...(sections as unknown as ConfigValues), home }
  checkTogether(config, (path) => sources.get(path) ?? '')
  return { config, unknown: read?.unknown ?? [] }
}
