import { closeSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isPermissionDenied } from '@org/runtime/errors'
import { makeFolders } from '@org/runtime/folders'
import { HOME_ERRORS, HomeError } from '../errors.ts'
import { exists, unreadable, unwritable } from '../files.ts'
import { flockAll } from './flock.ts'
import { findLockHolder, type LockHolder } from './proc-locks.ts'

/** The databases of a node, in the order in which the reference opens them. */
const NODE_DATABASES = ['blockstore.db', 'state.db', 'evidence.db', 'tx_index.db'] as const

/** The name of the light client's database of verified headers, as in the reference. */
export const LIGHT_DATABASE = 'light-client-db.db'

export interface HomeLock {
  /**
   * Releases the locks by closing the lock files. To be called after the databases are closed, because closing a lock
   * file also releases LevelDB's own lock on this file.
   */
  readonly release: () => void
}

/**
 * Returns the names of the folders in a folder; an empty list if the folder is missing. Throws
 * `HOME_FILE_UNREADABLE`.
 */
function foldersIn(directory: string): string[] {
  try {
    const found = readdirSync(directory, { withFileTypes: true })
    return found.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  } catch (error) {
    if (isPermissionDenied(error)) throw unreadable(directory, error)
    return []
  }
}

/** The folder of databases, and the flag with which a user chooses another folder. */
interface DatabaseFolder {
  readonly directory: string
  readonly flag: '--home' | '--home-dir'
}

function inUse({ directory, flag }: DatabaseFolder, holder: LockHolder | undefined): HomeError {
  const user = holder === undefined ? 'another process' : `process ${holder.pid}${holder.name && ` (${holder.name})`}`
  const isNode =
    (holder === undefined && flag === '--home') ||
    NODE_DATABASES.some((name) => holder?.file === join(directory, name, 'LOCK'))
  return new HomeError(
    HOME_ERRORS.locked,
    `${directory} is in use by ${user}: stop that ${isNode ? 'node' : 'program'} first, or choose another home with ${flag}`,
    { data: { directory, ...(holder === undefined ? {} : { file: holder.file, pid: holder.pid }) } },
  )
}

function checkUnused(folder: DatabaseFolder, databases: readonly string[]): void {
  const { directory } = folder
  // `exists` throws if this user has no permission to read the folder. If `exists` returned false instead, a database
  // that is in use would seem to be missing.
  const holder = findLockHolder(databases.map((name) => join(directory, name, 'LOCK')).filter(exists))
  if (holder !== undefined) throw inUse(folder, holder)
}

/**
 * Throws if any process uses a database of the node in this folder. Takes no lock. Does not check the databases of the
 * application in this folder.
 */
export function checkHomeUnused(directory: string): void {
  checkUnused({ directory, flag: '--home' }, NODE_DATABASES)
}

/**
 * Throws if any process uses any database in this folder. Takes no lock. A command calls this before it removes the
 * whole folder.
 */
export function checkFolderUnused(directory: string): void {
  checkUnused({ directory, flag: '--home' }, foldersIn(directory))
}

/** Opens the lock file of a database. Makes the folder of the database if it is missing. Throws `HOME_UNWRITABLE`. */
function openLockFile(database: string): number {
  const file = join(database, 'LOCK')
  try {
    makeFolders(database, 0o755)
    return openSync(file, 'a+', 0o644)
  } catch (error) {
    throw unwritable('cannot lock the database:', file, error)
  }
}

export interface LockOptions {
  /**
   * Whether to make the missing folders of the node's databases, so that they can be locked. True for a node that is
   * about to start.
   */
  readonly create?: boolean
  /** Further databases that this process opens, such as `kvstore.db` of a built-in application. */
  readonly further?: readonly string[]
}

/**
 * Throws if any process uses a database of the node, or one of the `further` databases, in this folder. Takes a flock
 * on each of these databases, if the system supports it. From then on, a Go node or a second node cannot start on this
 * home. All other databases in the folder belong to the application, which locks them itself: this function neither
 * checks nor locks them. To be called before the databases are opened.
 */
export async function lockHome(
  directory: string,
  { create = false, further = [] }: LockOptions = {},
): Promise<HomeLock> {
  const lockedNames = [...NODE_DATABASES, ...further]
  const folder: DatabaseFolder = { directory, flag: '--home' }
  checkUnused(folder, lockedNames)
  const found = new Set(foldersIn(directory))
  return lockAll(folder, create ? lockedNames : lockedNames.filter((name) => found.has(name)))
}

/** Does the same as {@link lockHome} for the store of verified headers in the folder of `halley light`. */
export async function lockLightHome(directory: string): Promise<HomeLock> {
  const folder: DatabaseFolder = { directory, flag: '--home-dir' }
  checkUnused(folder, [LIGHT_DATABASE])
  return lockAll(folder, [LIGHT_DATABASE])
}

async function lockAll(folder: DatabaseFolder, names: readonly string[]): Promise<HomeLock> {
  const { directory } = folder
  const descriptors: number[] = []
  const release = (): void => {
    for (const descriptor of descriptors.splice(0)) closeSync(descriptor)
  }
  try {
    for (const name of names) descriptors.push(openLockFile(join(directory, name)))
    if (descriptors.length > 0 && (await flockAll(descriptors)) === 'busy') throw inUse(folder, undefined)
  } catch (error) {
    release()
    throw error
  }
  return { release }
}
