import type { Clock, Random } from '@org/runtime'
import {
  type Config,
  configFileOf,
  configToToml,
  type Environment,
  type HomePaths,
  type Preset,
  pathsOf,
  resolveConfig,
} from '../config/index.ts'
import { ensureFolder, exists, PUBLIC_MODE, readText, writeWhole } from '../home/files.ts'
import { createLogging, type Logging } from '../logging/index.ts'

/** What every command gets from the process. */
export interface CommandContext {
  readonly home: string
  readonly flags: ReadonlyMap<string, string>
  readonly env: Environment
  /** Writes to standard output. */
  readonly out: (text: string) => void
  readonly colored: boolean
  readonly clock: Clock
  readonly random: Random
}

export interface OpenedHome extends Logging {
  readonly config: Config
  readonly paths: HomePaths
}

export interface OpenHomeOptions {
  /** Make the folders and a config.toml if there is none, as most of the reference's commands do. */
  readonly create?: boolean
  /** Values in place of the fallbacks, also of a file that is made. */
  readonly preset?: Preset
}

/** Reads the home's configuration, with flags and environment, and makes the logger that it asks for. */
export function openHome(context: CommandContext, { create = false, preset }: OpenHomeOptions = {}): OpenedHome {
  const { home, flags, env, clock, colored } = context
  const path = configFileOf(home)
  if (create) {
    for (const folder of [home, `${home}/config`, `${home}/data`]) ensureFolder(folder)
    if (!exists(path)) {
      const made = resolveConfig({ home, ...(preset === undefined ? {} : { preset }) })
      writeWhole(path, configToToml(made.config), PUBLIC_MODE)
    }
  }
  const file = exists(path) ? { path, text: readText(path) } : undefined
  const { config, unknown } = resolveConfig({
    home,
    flags,
    env,
    ...(file === undefined ? {} : { file }),
    ...(preset === undefined || file !== undefined ? {} : { preset }),
  })
  const logging = createLogging({ format: config.base.logFormat, level: config.base.logLevel, colored }, { clock })
  for (const key of unknown) logging.logger.warn('Unknown key in config file is ignored', { key, file: path })
  return { config, paths: pathsOf(config), ...logging }
}
