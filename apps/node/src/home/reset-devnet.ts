import { isAbsolute, join, relative } from 'node:path'
import { DEVNET_PRESET, type HomePaths, resolveConfig } from '../config/index.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { hasDevnetMarker } from './devnet-marker.ts'
import { ensureFolder, exists, readText, removeAll } from './files.ts'
import { checkFolderUnused } from './lock/index.ts'
import type { OpenedHome } from './open-home.ts'
import { resetValidator } from './validator-files.ts'

/** Matches the monikers that devnet writes into the config.toml of homes that it makes. */
const DEVNET_MONIKER = /^(devnet|node\d+)$/

/** The configuration keys of the files that a reset removes or changes. */
const RESET_FILES = {
  genesis_file: 'genesis',
  'p2p.addr_book_file': 'addressBook',
  priv_validator_key_file: 'privValidatorKey',
  priv_validator_state_file: 'privValidatorState',
} as const satisfies Readonly<Record<string, keyof HomePaths>>

/**
 * Finds a file outside of the home that a reset would remove or change. Another home may use such a file. Returns the
 * file's configuration key and path; `undefined` if there is no such file.
 */
function fileOutside({ config: { home }, paths }: OpenedHome): string | undefined {
  for (const [key, name] of Object.entries(RESET_FILES)) {
    const path = relative(home, paths[name])
    if (path.startsWith('..') || isAbsolute(path)) return `${key} ${JSON.stringify(paths[name])}`
  }
  return undefined
}

/**
 * Returns a text with the reason why the home cannot have been made by the command `devnet`; `undefined` if `devnet`
 * made the home. The rules are, in this order:
 * - A home is refused if it has config/app.toml, databases in another folder, or files outside of the home.
 * - A home with the marker file is accepted if config.toml names no peers. The command `devnet` writes this file into
 *   each home that it makes. If config.toml names peers, the user may have made the home a member of another network,
 *   and a reset would remove the sign state of its validator. So the next rule then decides.
 * - A home with peers, or a home without the marker file, is accepted if config.toml has two values that `devnet`
 *   writes: the P2P address and the moniker. Homes of older versions have no marker file.
 *
 * A moniker alone does not show that `devnet` made the home, because the commands `testnet` and `init` may write the
 * same moniker, such as node0. The P2P address of devnets has the port 0. A node with peers on other machines does not
 * use this port.
 *
 * Flags and environment variables are ignored, because they do not show which command made the home.
 */
function foreignSign(opened: OpenedHome): string | undefined {
  const { config, paths } = opened
  const { home, base } = config
  if (exists(join(home, 'config/app.toml'))) return 'it has config/app.toml, the configuration of an application'
  if (paths.databases !== join(home, 'data')) return `db_dir ${JSON.stringify(base.dbDir)}`
  const outside = fileOutside(opened)
  if (outside !== undefined) return outside
  const path = paths.configFile
  const { config: written } = resolveConfig({ home, file: { path, text: readText(path) } })
  const { moniker } = written.base
  const { laddr, persistentPeers, seeds } = written.p2p
  const hasPeers = persistentPeers !== '' || seeds !== ''
  if (hasDevnetMarker(home) && !hasPeers) return undefined
  if (laddr !== DEVNET_PRESET['p2p.laddr']) return `its config.toml has p2p.laddr ${JSON.stringify(laddr)}`
  if (!DEVNET_MONIKER.test(moniker)) return `its config.toml has moniker ${JSON.stringify(moniker)}`
  return undefined
}

/** Returns true if the command `devnet` made this home, so that its chain may be removed. */
export const isDevnetHome = (home: OpenedHome): boolean => foreignSign(home) === undefined

/**
 * Throws a `CliError` if the command `devnet` did not make this home. Throws another coded error if a program uses the
 * home.
 */
function checkRemovable(home: OpenedHome): void {
  const { config, paths } = home
  const sign = foreignSign(home)
  if (sign !== undefined) {
    throw new CliError(
      CLI_ERRORS.usage,
      `--reset removes only the chain of a home that halley devnet made. ${config.home} is not such a home (${sign}). To remove all data of this home, with the state of its signer, run halley unsafe-reset-all --home ${config.home}`,
      { data: { home: config.home } },
    )
  }
  checkFolderUnused(paths.databases)
}

/**
 * Removes the chain of homes that the command `devnet` made, so that the next start begins another chain. Keys and
 * configuration stay. If one of the homes cannot be reset, no home is changed.
 */
export async function resetDevnet(homes: readonly OpenedHome[]): Promise<void> {
  for (const home of homes) checkRemovable(home)
  for (const { paths } of homes) {
    for (const path of [paths.databases, paths.genesis, paths.addressBook]) removeAll(path)
    ensureFolder(paths.databases)
    await resetValidator(paths)
  }
}
