import { join } from 'node:path'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { ensureFolder, removeAll } from './files.ts'
import { checkFolderUnused } from './lock/index.ts'
import type { OpenedHome } from './open-home.ts'
import { resetValidator } from './validator-files.ts'

/** Matches the monikers that devnet writes into the homes that it makes. */
const DEVNET_MONIKER = /^(devnet|node\d+)$/

/**
 * Removes the chain of a home that the command `devnet` made, so that the next start begins another chain. Keys and
 * configuration stay.
 */
export async function resetDevnet({ config, paths }: OpenedHome): Promise<void> {
  if (!DEVNET_MONIKER.test(config.base.moniker) || paths.databases !== join(config.home, 'data')) {
    throw new CliError(
      CLI_ERRORS.usage,
      `--reset removes the chain of a home that halley devnet made, and ${config.home} is not such a home (moniker ${JSON.stringify(config.base.moniker)}): to remove all data of this home, run halley unsafe-reset-all`,
      { data: { home: config.home } },
    )
  }
  checkFolderUnused(paths.databases)
  for (const path of [paths.databases, paths.genesis, paths.addressBook]) removeAll(path)
  ensureFolder(paths.databases)
  await resetValidator(paths)
}
