import { configFileOf, resolveConfig, setKeys, withBackfillNote } from '../config/index.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { exists, readText, rewriteWhole } from '../home/files.ts'

/** The section [statesync] of a home's config.toml. */
export interface StateSyncHome {
  /** The path of config.toml. */
  readonly path: string
  /** The entries of `rpc_servers`. */
  readonly servers: readonly string[]
  /**
   * Writes `values` into the section [statesync], and enables state sync. The values are TOML. Throws a `ConfigError`
   * for values with which a node would refuse to start.
   */
  readonly write: (values: Readonly<Record<string, string>>) => void
}

/** Throws `CLI_USAGE` if the home has no config.toml, and a `ConfigError` if that file is invalid. */
export function openStateSyncHome(home: string): StateSyncHome {
  const path = configFileOf(home)
  if (!exists(path)) {
    throw new CliError(
      CLI_ERRORS.usage,
      `--write needs a home with a config file, but ${path} does not exist: make a home with halley init, or name another home with --home`,
    )
  }
  const text = readText(path)
  // The function `resolveConfig` requires the height to trust if state sync is enabled. config.toml may lack this
  // height, because the caller writes it later. So a flag disables state sync for this call of `resolveConfig`.
  const { config } = resolveConfig({ home, file: { path, text }, flags: new Map([['statesync.enable', 'false']]) })
  return {
    path,
    servers: config.statesync.rpcServers.filter((server) => server !== ''),
    write: (values) => {
      const written = withBackfillNote(setKeys(text, 'statesync', { enable: 'true', ...values }))
      resolveConfig({ home, file: { path, text: written } })
      rewriteWhole(path, written)
    },
  }
}
