import type { IdbDatabase, IdbObjectStore, IdbRequest, IndexedDb } from './port.ts'

/** The version of the layout: one object store, with the keys `[chain id, height]` and encoded blocks as values. */
const VERSION = 1
const BLOCKS = 'blocks'

/** Resolves to the result of a request to an IndexedDB. */
export const resultOf = <T>(request: IdbRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** The object store of blocks in a database of the browser. */
export interface BlockDatabase {
  readonly read: <T>(ask: (blocks: IdbObjectStore) => Promise<T>) => Promise<T>
  /** Resolves when the changes are durable. If `change` rejects, none of its changes is made. */
  readonly write: (change: (blocks: IdbObjectStore) => Promise<void>) => Promise<void>
  /** Closes the database after the unfinished writes have ended. */
  readonly close: () => Promise<void>
}

async function open(indexedDb: IndexedDb, name: string): Promise<IdbDatabase> {
  const request = indexedDb.open(name, VERSION)
  request.onupgradeneeded = () => void request.result.createObjectStore(BLOCKS)
  const db = await resultOf(request)
  // The database is closed if another page wants to remove the database, or to open a later version of the database.
  // Otherwise the other page would wait until this page is closed.
  db.onversionchange = () => db.close()
  return db
}

export async function openBlockDatabase(indexedDb: IndexedDb, name: string): Promise<BlockDatabase> {
  const db = await open(indexedDb, name)
  const writes = new Set<Promise<void>>()

  function write(change: (blocks: IdbObjectStore) => Promise<void>): Promise<void> {
    const transaction = db.transaction(BLOCKS, 'readwrite', { durability: 'strict' })
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
    })
    const changed = change(transaction.objectStore(BLOCKS))
    changed.catch(() => {
      try {
        transaction.abort()
      } catch {
        // `abort` throws if the browser has already ended the transaction. Then no abort is necessary.
      }
    })
    const result = Promise.all([changed, done]).then(() => undefined)
    const settled = result.catch(() => undefined).finally(() => writes.delete(settled))
    writes.add(settled)
    return result
  }

  return {
    read: async (ask) => ask(db.transaction(BLOCKS, 'readonly', { durability: 'default' }).objectStore(BLOCKS)),
    write: async (change) => write(change),
    close: async () => {
      await Promise.all(writes)
      db.close()
    },
  }
}
