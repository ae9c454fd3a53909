import { parse, TomlError } from 'smol-toml'
import { CONFIG_ERRORS, ConfigError } from './errors.ts'
import { CONFIG_KEYS, SECTIONS, SILENT_KEYS } from './sections.ts'

export interface ConfigFile {
  /** The values of the file by the path of their key, such as `rpc.laddr`. They are not checked yet. */
  readonly values: ReadonlyMap<string, unknown>
  /**
   * The paths of the keys in the file that are not configuration keys. An unknown section is listed once, by its
   * name. The keys of {@link SILENT_KEYS} are not listed.
   */
  readonly unknown: readonly string[]
}

const KNOWN: ReadonlySet<string> = new Set(CONFIG_KEYS.map((configKey) => configKey.path))

function parseToml(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text, { integersAsBigInt: true })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const reason = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? ''
    throw new ConfigError(
      CONFIG_ERRORS.syntax,
      `error in config file: ${file}:${error.line}:${error.column}: ${reason}`,
      {
        data: { source: file, line: error.line, column: error.column },
        cause: error,
      },
    )
  }
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** Reads a config.toml. As in the reference, a key may be written in upper-case or lower-case letters. */
export function readConfigFile(text: string, file: string): ConfigFile {
  const values = new Map<string, unknown>()
  const unknown: string[] = []
  const add = (path: string, value: unknown): void => {
    if (KNOWN.has(path)) values.set(path, value)
    else if (!SILENT_KEYS.has(path)) unknown.push(path)
  }
  for (const [rawName, value] of Object.entries(parseToml(text, file))) {
    const name = rawName.toLowerCase()
    if (!isTable(value)) add(name, value)
    else if (name in SECTIONS && name !== 'base') {
      for (const [inner, innerValue] of Object.entries(value)) add(`${name}.${inner.toLowerCase()}`, innerValue)
    } else unknown.push(name)
  }
  return { values, unknown }
}
