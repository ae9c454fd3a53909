import { closeSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { HOME_ERRORS, HomeError } from '../errors.ts'
import { flockAll } from './flock.ts'
import { findLockHolder, type LockHolder } from './proc-locks.ts'

/** The databases that every node has; the reference opens the first one first. */
const DATABASES = ['blockstore.db', 'state.db', 'evidence.db', 'tx_index.db'] as const

export interface HomeLock {
  /** After the databases were closed: closing these files ends the locks that LevelDB holds on them as well. */
  readonly release: () => void
}

function databasesIn(directory: string): string[] {
  try {
    const found = readdirSync(directory, { withFileTypes: true })
    return found.filter((entry) => entry.isDirectory() && entry.name.endsWith('.db')).map((entry) => entry.name)
  } catch {
    return []
  }
}

function inUse(directory: string, holder: LockHolder | undefined): HomeError {
  const who = holder === undefined ? 'another process' : `process ${holder.pid}${holder.name && ` (${holder.name})`}`
  return new HomeError(
    HOME_ERRORS.locked,
    `${directory} is in use by ${who}: stop that node first, or choose another home with --home`,
    { data: { directory, ...(holder === undefined ? {} : { file: holder.file, pid: holder.pid }) } },
  )
}

/** Refuses if any process uses the databases in this folder. Takes no lock. */
export function checkHomeUnused(directory: string): void {
  const files = databasesIn(directory).map((name) => join(directory, name, 'LOCK'))
  const holder = findLockHolder(files)
  if (holder !== undefined) throw inUse(directory, holder)
}

export interface LockOptions {
  /** Make the folders of the usual databases, so that there is something to lock; for a node that is about to start. */
  readonly create?: boolean
}

/**
 * Refuses if any process uses the databases in this folder; holds an flock on each of them (where the system has a way), so
 * that a Go node and a second node are refused from here on. To be called before the databases are opened.
 */
export async function lockHome(directory: string, { create = false }: LockOptions = {}): Promise<HomeLock> {
  checkHomeUnused(directory)
  const names = new Set([...(create ? DATABASES : []), ...databasesIn(directory)])
  const descriptors: number[] = []
  const release = (): void => {
    for (const descriptor of descriptors.splice(0)) closeSync(descriptor)
  }
  try {
    for (const name of names) {
      mkdirSync(join(directory, name), { recursive: true, mode: 0o755 })
      descriptors.push(openSync(join(directory, name, 'LOCK'), 'a+', 0o644))
    }
    if (descriptors.length > 0 && (await flockAll(descriptors)) === 'busy') throw inUse(directory, undefined)
  } catch (error) {
    release()
    if (error instanceof HomeError) throw error
    throw new HomeError(HOME_ERRORS.unwritable, `cannot lock the databases in ${directory}: ${String(error)}`, {
      data: { directory },
      cause: error,
    })
  }
  return { release }
}
