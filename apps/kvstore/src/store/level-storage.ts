import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createEmptiedClose } from '@org/runtime/databases'
import { fileErrorMessage } from '@org/runtime/errors'
import { ClassicLevel } from 'classic-level'
import { KVSTORE_ERRORS, KvStoreError } from '../errors.ts'
import type { KeyValueStorage } from './storage.ts'

type Entry = readonly [key: Uint8Array, value: Uint8Array]

function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

function openError(path: string, error: unknown): KvStoreError {
  const { cause } = error as { readonly cause?: { readonly code?: string } }
  const locked = cause?.code === 'LEVEL_LOCKED'
  const message = locked
    ? `${path} is open in another process`
    : `cannot open ${path}: ${fileErrorMessage(cause ?? error)}`
  return new KvStoreError(locked ? KVSTORE_ERRORS.locked : KVSTORE_ERRORS.open, message, {
    data: { path },
    cause: error,
  })
}

/** Opens or makes a LevelDB. Rejects with `KVSTORE_LOCKED` or `KVSTORE_OPEN`. */
export async function openLevelStorage(path: string): Promise<KeyValueStorage> {
  const db = new ClassicLevel<Uint8Array, Uint8Array>(path, { keyEncoding: 'view', valueEncoding: 'view' })
  try {
    await mkdir(dirname(path), { recursive: true })
    await db.open()
  } catch (error) {
    throw openError(path, error)
  }

  async function* iterate(iterator: AsyncIterable<Entry>): AsyncGenerator<Entry> {
    for await (const [key, value] of iterator) yield [plain(key), plain(value)]
  }

  const ending = createEmptiedClose(db)

  return {
    get: (key) => {
      const value = db.getSync(key)
      return value === undefined ? undefined : plain(value)
    },
    write: async (ops) => {
      if (!ending.mayWrite()) throw new KvStoreError(KVSTORE_ERRORS.closed, `the database ${path} is closed`)
      await db.batch([...ops])
    },
    // The iterator sees the database as it is at the moment of this call.
    entries: () => iterate(db.iterator()),
    close: ending.close,
  }
}
