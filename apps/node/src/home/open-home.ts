import type { Clock } from '@org/runtime'
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
import { createLogging, type Logging } from '../logging/index.ts'
import { claimForDevnet } from './devnet-marker.ts'
import { ensureFolder, exists, PUBLIC_MODE, readText, writeWhole } from './files.ts'

/** The folder of a home, and the flags and variables that change its configuration. */
export interface HomeContext {
  readonly home: string
  readonly flags: ReadonlyMap<string, string>
  readonly env: Environment
  /** Whether the output is a terminal, which a person reads. */
  readonly interactive: boolean
  readonly clock: Clock
}

export interface OpenedHome extends Logging {
  readonly config: Config
  readonly paths: HomePaths
}

export interface OpenHomeOptions {
  /** Whether to make missing folders and a missing config.toml, as most of the reference's commands do. */
  readonly create?: boolean
  /** Whether the command is `devnet`, which marks the homes that it makes, and refuses a foreign home. */
  readonly forDevnet?: boolean
  /** Default values of the command. If a config.toml is made, these values are written into it. */
  readonly preset?: Preset
  /**
   * Configuration values that the command sets. They have precedence over config.toml. Command-line flags and
   * environment variables have precedence over them.
   */
  readonly overFile?: Preset
}

function prepareHome(home: string, preset: Preset | undefined): void {
  for (const folder of [home, `${home}/config`, `${home}/data`]) ensureFolder(folder)
  const path = configFileOf(home)
  if (exists(path)) return
  const { config } = resolveConfig({ home, ...(preset === undefined ? {} : { preset }) })
  writeWhole(path, configToToml(config), PUBLIC_MODE)
}

/**
 * Reads the home's configuration, with flags and environment. Makes the logger with the level and the form that the
 * configuration names.
 */
export function openHome(
  context: HomeContext,
  { create = false, forDevnet = false, preset, overFile }: OpenHomeOptions = {},
): OpenedHome {
  const { home, flags, env, clock, interactive } = context
  const path = configFileOf(home)
  if (forDevnet) claimForDevnet(home)
  if (create) prepareHome(home, preset)
  const file = exists(path) ? { path, text: readText(path) } : undefined
  const { config, unknown } = resolveConfig({
    home,
    flags,
    env,
    ...(file === undefined ? {} : { file }),
    ...(preset === undefined || file !== undefined ? {} : { preset }),
    ...(overFile === undefined ? {} : { overFile }),
  })
  const logging = createLogging(
    { format: config.base.logFormat, level: config.base.logLevel, colored: interactive },
    { clock },
  )
  for (const key of unknown) logging.logger.warn('Unknown key in config file is ignored', { key, file: path })
  return { config, paths: pathsOf(config), ...logging }
}
