import { join } from 'node:path'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { ensureFolder, exists, removeAll } from './files.ts'
import { checkFolderUnused } from './lock/index.ts'
import type { OpenedHome } from './open-home.ts'
import { resetValidator } from './validator-files.ts'

/** Matches the monikers that devnet writes into the homes that it makes. */
const DEVNET_MONIKER = /^(devnet|node\d+)$/

/**
 * Returns the sign that the command `devnet` did not make a home; `undefined` if it did. The networks of the Cosmos SDK
 * have the monikers of devnets, and also a configuration of the daemon.
 */
function foreignSign({ config, paths }: OpenedHome): string | undefined {
  if (!DEVNET_MONIKER.test(config.base.moniker)) return `moniker ${JSON.stringify(config.base.moniker)}`
  if (paths.databases !== join(config.home, 'data')) return `db_dir ${JSON.stringify(config.base.dbDir)}`
  if (exists(join(config.home, 'config/app.toml'))) return 'it has config/app.toml, the configuration of an application'
  return undefined
}

/** Returns true if the command `devnet` made this home, so that its chain may be removed. */
export const isDevnetHome = (home: OpenedHome): boolean => foreignSign(home) === undefined

/**
 * Removes the chain of a home that the command `devnet` made, so that the next start begins another chain. Keys and
 * configuration stay.
 */
export async function resetDevnet(home: OpenedHome): Promise<void> {
  const { config, paths } = home
  const sign = foreignSign(home)
  if (sign !== undefined) {
    throw new CliError(
      CLI_ERRORS.usage,
      `--reset removes the chain of a home that halley devnet made, and ${config.home} is not such a home (${sign}): to remove all data of this home, run halley unsafe-reset-all`,
      { data: { home: config.home } },
    )
  }
  checkFolderUnused(paths.databases)
  for (const path of [paths.databases, paths.genesis, paths.addressBook]) removeAll(path)
  ensureFolder(paths.databases)
  await resetValidator(paths)
}
