import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createDatabaseCloser } from '@org/runtime/databases'
import { fileErrorMessage } from '@org/runtime/errors'
import { ClassicLevel } from 'classic-level'
import { APP_ERRORS, AppError } from '../errors.ts'
import type { Storage } from '../storage/port.ts'

function storageError(path: string, error: unknown): AppError {
  const { cause } = error as { readonly cause?: { readonly code?: string } }
  if (cause?.code === 'LEVEL_LOCKED') {
    const message = `the database ${path} is open in another process: stop that process first`
    return new AppError(APP_ERRORS.locked, message, { data: { path }, cause: error })
  }
  const message = `the database ${path} failed: ${fileErrorMessage(cause ?? error)}`
  return new AppError(APP_ERRORS.storage, message, { data: { path }, cause: error })
}

/**
 * Opens or makes a LevelDB in the folder `path`. Rejects with an {@link AppError} (`APP_STORAGE_LOCKED`,
 * `APP_STORAGE`). A write does not wait for the disk, so a power failure may lose the last blocks in the database. Then
 * the node replays these blocks.
 */
export async function openLevelStorage(path: string): Promise<Storage> {
  const db = new ClassicLevel<Uint8Array, Uint8Array>(path, { keyEncoding: 'view', valueEncoding: 'view' })
  try {
    await mkdir(dirname(path), { recursive: true })
    await db.open()
  } catch (error) {
    throw storageError(path, error)
  }
  const ending = createDatabaseCloser(db)
  const closed = (): AppError => new AppError(APP_ERRORS.storage, `the database ${path} is closed`, { data: { path } })

  async function change(work: () => Promise<void>): Promise<void> {
    if (!ending.mayWrite()) throw closed()
    try {
      await work()
    } catch (error) {
      throw storageError(path, error)
    }
  }

  return {
    get: (key) => {
      if (db.status !== 'open') throw closed()
      try {
        const value = db.getSync(key)
        // LevelDB may return a Buffer of Node.js. The application gets the same bytes as a plain Uint8Array.
        return value === undefined ? undefined : new Uint8Array(value.buffer, value.byteOffset, value.length)
      } catch (error) {
        throw storageError(path, error)
      }
    },
    write: (ops) => change(() => db.batch([...ops])),
    clear: () => change(() => db.clear()),
    close: () => ending.close(),
  }
}
