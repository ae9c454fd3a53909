import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createDatabaseCloser, type DatabaseCloser } from '@org/runtime/databases'
import { fileErrorMessage } from '@org/runtime/errors'
import { ClassicLevel } from 'classic-level'
import { KVSTORE_ERRORS, KvStoreError } from '../errors.ts'
import { exists, removeAll, renameDurably, syncFolder } from '../files.ts'
import type { KeyValueStorage, Replacement, StorageOp } from './storage.ts'

type Entry = readonly [key: Uint8Array, value: Uint8Array]

interface OpenDatabase {
  readonly db: ClassicLevel<Uint8Array, Uint8Array>
  readonly ending: DatabaseCloser
}

function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

function openError(path: string, error: unknown): KvStoreError {
  const { cause } = error as { readonly cause?: { readonly code?: string } }
  const locked = cause?.code === 'LEVEL_LOCKED'
  const message = locked
    ? `${path} is open in another process: stop that process first`
    : `cannot open ${path}: ${fileErrorMessage(cause ?? error)}`
  return new KvStoreError(locked ? KVSTORE_ERRORS.locked : KVSTORE_ERRORS.open, message, {
    data: { path },
    cause: error,
  })
}

async function openDatabase(path: string): Promise<OpenDatabase> {
  const db = new ClassicLevel<Uint8Array, Uint8Array>(path, { keyEncoding: 'view', valueEncoding: 'view' })
  await db.open()
  return { db, ending: createDatabaseCloser(db) }
}

async function* iterate(iterator: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  for await (const [key, value] of iterator) yield [plain(key), plain(value)]
}

/** The folder in which a new database is written. The complete new database then replaces the present database. */
const replacementOf = (path: string): string => `${path}.replacement`
/** The folder to which the former database is moved when a new database replaces it. */
const formerOf = (path: string): string => `${path}.former`

/**
 * Opens the database. If an earlier process ended while a new database replaced the present one, also removes the
 * folders that this replacement left.
 */
async function openCleanly(path: string): Promise<OpenDatabase> {
  await mkdir(dirname(path), { recursive: true })
  // True if the process ended during a replacement, when the former database was already moved away and the new
  // database was not yet at its place. The former database is then used.
  const isHalfway = !(await exists(path)) && (await exists(formerOf(path)))
  if (isHalfway) await renameDurably(formerOf(path), path)
  const database = await openDatabase(path)
  // Only the process that holds the lock of the database may remove the folders of an interrupted replacement. So the
  // two folders are removed after the database was opened.
  await removeAll(replacementOf(path))
  await removeAll(formerOf(path))
  return database
}

/** Opens or makes a LevelDB. Rejects with `KVSTORE_LOCKED` or `KVSTORE_OPEN`. */
export async function openLevelStorage(path: string): Promise<KeyValueStorage> {
  let current = await openCleanly(path).catch((error: unknown) => {
    throw openError(path, error)
  })

  const closedError = (): KvStoreError => new KvStoreError(KVSTORE_ERRORS.closed, `the database ${path} is closed`)

  async function writeTo({ db, ending }: OpenDatabase, ops: readonly StorageOp[]): Promise<void> {
    if (!ending.mayWrite()) throw closedError()
    await db.batch([...ops])
  }

  /**
   * Replaces the present database by the new one. After a crash, the next start finds one of these two databases
   * complete.
   */
  async function swap(): Promise<void> {
    await current.ending.close()
    try {
      await renameDurably(path, formerOf(path))
      await renameDurably(replacementOf(path), path)
    } catch (error) {
      if (!(await exists(path))) await renameDurably(formerOf(path), path)
      throw error
    } finally {
      current = await openDatabase(path)
    }
    await removeAll(formerOf(path))
  }

  async function replace(): Promise<Replacement> {
    const folder = replacementOf(path)
    await removeAll(folder)
    const next = await openDatabase(folder)
    return {
      write: (ops) => writeTo(next, ops),
      commit: async () => {
        await next.ending.close()
        await syncFolder(folder)
        await swap()
      },
      abandon: async () => {
        await next.ending.close()
        await removeAll(folder)
      },
    }
  }

  return {
    get: (key) => {
      if (current.db.status !== 'open') throw closedError()
      const value = current.db.getSync(key)
      return value === undefined ? undefined : plain(value)
    },
    write: (ops) => writeTo(current, ops),
    // The iterator returns the pairs that the database has at the moment of this call.
    entries: (from) => iterate(current.db.iterator(from === undefined ? {} : { gte: from })),
    replace,
    close: () => current.ending.close(),
  }
}
