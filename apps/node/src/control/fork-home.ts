import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Op, openLevelStore, put } from '@org/engine/storage'
import { type DevnetOrigin, forkOrigin } from '@org/simnet/devnet'
import type { CommandContext } from '../context.ts'
import { exists, readText } from '../home/files.ts'
import { checkFolderUnused } from '../home/lock/index.ts'
import type { OpenedHome } from '../home/open-home.ts'
import { openHome } from '../home/open-home.ts'
import { applicationDatabases } from '../node/application.ts'
import { CONTROL_ERRORS, ControlError } from './errors.ts'

/** The maximum number of bytes of a home's databases. There is a limit, because a devnet keeps its chain in memory. */
export const MAX_FORK_BYTES = 512 << 20

export interface ForkedHome {
  readonly origin: DevnetOrigin
  /** The application that the home's configuration names. */
  readonly proxyApp: string
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder).map((name) => statSync(join(folder, name)))
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}

/** Opens a copy of a LevelDB database, because LevelDB writes to each database that it opens. */
async function readCopy(database: string): Promise<readonly Op[]> {
  const folder = mkdtempSync(join(tmpdir(), 'halley-fork-'))
  try {
    // Links are followed: the database may be on another disk. A copied link would let LevelDB write to its target.
    const filter = (path: string): boolean => !path.endsWith('/LOCK')
    cpSync(database, folder, { recursive: true, dereference: true, filter })
    const store = await openLevelStore(folder)
    const ops: Op[] = []
    try {
      for await (const [key, value] of store.iterate()) ops.push(put(key, value))
    } finally {
      await store.close()
    }
    return ops
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function checkSize(paths: readonly string[], home: string): void {
  const total = paths.reduce((sum, path) => sum + sizeOf(path), 0)
  if (total <= MAX_FORK_BYTES) return
  const size = (bytes: number): string => `${Math.ceil(bytes / 1_048_576)} MiB`
  const message = `the databases of ${home} have ${size(total)}, but a fork is in memory, so they may have at most ${size(MAX_FORK_BYTES)}: fork a home that joined the chain by state sync a short time ago, or a home that keeps fewer blocks`
  throw new ControlError(CONTROL_ERRORS.forkTooLarge, message)
}

/** Returns the home to fork, with its configuration. Writes nothing. */
function openSource(context: CommandContext, given: string): OpenedHome {
  const home = resolve(context.workingFolder, given)
  if (exists(join(home, 'config', 'genesis.json'))) return openHome({ ...context, home, flags: new Map() })
  const message = `${home} is not the home of a node: it has no config/genesis.json. Give the folder that contains config and data`
  throw new ControlError(CONTROL_ERRORS.forkNoHome, message)
}

/**
 * Reads a stopped home, of this node or of the Go node, and replaces the keys of its validators. The home is not
 * changed: its databases are copied before they are opened. Rejects if a process uses the home. Rejects with a code
 * `DEVNET_FORK_…` if the home cannot be forked.
 */
export async function forkHome(context: CommandContext, given: string, validators: number): Promise<ForkedHome> {
  const { config, paths } = openSource(context, given)
  const { databases: folder } = paths
  const pathOf = (name: string): string => join(folder, `${name}.db`)
  if (!exists(pathOf('blockstore')) || !exists(pathOf('state'))) {
    const message = `${folder} has no databases of a chain (blockstore.db and state.db): start the node once, and stop it`
    throw new ControlError(CONTROL_ERRORS.forkNoHome, message)
  }
  checkFolderUnused(folder)
  const names = ['blockstore', 'state', 'tx_index'].filter((name) => exists(pathOf(name)))
  const [appDatabase] = applicationDatabases(config.base.proxyApp)
    .map((name) => join(folder, name))
    .filter(exists)
  checkSize([...names.map(pathOf), ...(appDatabase === undefined ? [] : [appDatabase])], config.home)
  const databases = new Map<string, readonly Op[]>()
  for (const name of names) databases.set(name, await readCopy(pathOf(name)))
  const appState = appDatabase === undefined ? undefined : await readCopy(appDatabase)
  checkFolderUnused(folder)
  const origin = await forkOrigin({ databases, genesisText: readText(paths.genesis) }, validators)
  return { origin: { ...origin, ...(appState && { appState }) }, proxyApp: config.base.proxyApp }
}
