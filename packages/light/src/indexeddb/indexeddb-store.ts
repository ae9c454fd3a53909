import { heightOf, type LightBlock } from '../block/light-block.ts'
import type { LightStore } from '../store/port.ts'
import { decodeStored, encodeStored } from '../store/stored-block.ts'
import { openBlockDatabase, resultOf } from './database.ts'
import { storeFailure, toStoreFailure } from './errors.ts'
import type { BlockKey, IdbCursor, IndexedDb, KeyRanges } from './port.ts'

/** The options of {@link openIndexedDbLightStore}. */
export interface IndexedDbLightStoreOptions {
  readonly chainId: string
  /** The name of the database, which may hold several chains. Default: `light-client`. */
  readonly name?: string
}

interface Site {
  readonly indexedDB: IndexedDb
  readonly IDBKeyRange: KeyRanges
}

/** The number of keys that are read at once when blocks are removed. */
const CHUNK = 512

const isHeight = (height: number): boolean => Number.isSafeInteger(height) && height > 0

/** Returns the globals of the browser. Throws {@link LightError} (`LIGHT_STORE`) if there is no IndexedDB. */
function siteOf(name: string): Site {
  const site = globalThis as unknown as Partial<Site>
  if (site.indexedDB !== undefined && site.IDBKeyRange !== undefined) return site as Site
  throw storeFailure(name, { fault: 'denied', reason: 'this browser or runtime has no IndexedDB' })
}

/**
 * Opens a store in the IndexedDB of a browser. All pages of one site share the store: each page sees the blocks that
 * other pages saved. Throws {@link LightError} (`LIGHT_STORE`). The name of the database is the error's `data.path`.
 */
export async function openIndexedDbLightStore({
  chainId,
  name = 'light-client',
}: IndexedDbLightStoreOptions): Promise<LightStore> {
  const guarded = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      throw toStoreFailure(name, error)
    })
  const { indexedDB, IDBKeyRange } = siteOf(name)
  const db = await guarded(async () => openBlockDatabase(indexedDB, name))
  const keyOf = (height: number): BlockKey => [chainId, height]
  /** Returns the range of the keys of the chain's blocks below the height `end`. */
  const below = (end: number): unknown => IDBKeyRange.bound([chainId], keyOf(end), false, true)
  const all = below(Number.POSITIVE_INFINITY)

  const decode = ({ key, value }: IdbCursor): LightBlock => {
    const corrupt = (reason: string, cause?: unknown): Error => storeFailure(name, { fault: 'corrupt', reason, cause })
    const height = (key as BlockKey)[1]
    if (!(value instanceof Uint8Array)) throw corrupt(`the block at height ${height} cannot be read`)
    return decodeStored(height, value, corrupt)
  }
  const end = async (direction: 'next' | 'prev'): Promise<number | undefined> => {
    const cursor = await db.read((blocks) => resultOf(blocks.openKeyCursor(all, direction)))
    return cursor === null ? undefined : (cursor.key as BlockKey)[1]
  }

  return {
    save: (block) =>
      guarded(() => db.write(async (blocks) => void blocks.put(encodeStored(block), keyOf(heightOf(block))))),
    remove: (height) =>
      guarded(async () => {
        if (isHeight(height)) await db.write(async (blocks) => void blocks.delete(keyOf(height)))
      }),
    at: (height) =>
      guarded(async () => {
        if (!isHeight(height)) return undefined
        const value = await db.read((blocks) => resultOf(blocks.get(keyOf(height))))
        return value === undefined ? undefined : decode({ key: keyOf(height), value })
      }),
    before: (height) =>
      guarded(async () => {
        const cursor = await db.read((blocks) => resultOf(blocks.openCursor(below(height), 'prev')))
        return cursor === null ? undefined : decode(cursor)
      }),
    after: (height) =>
      guarded(async () => {
        const above = IDBKeyRange.bound(keyOf(height), keyOf(Number.POSITIVE_INFINITY), true, false)
        const cursor = await db.read((blocks) => resultOf(blocks.openCursor(above, 'next')))
        return cursor === null ? undefined : decode(cursor)
      }),
    firstHeight: () => guarded(() => end('next')),
    lastHeight: () => guarded(() => end('prev')),
    prune: (size) =>
      guarded(() =>
        db.write(async (blocks) => {
          let surplus = (await resultOf(blocks.count(all))) - size
          while (surplus > 0) {
            const keys = await resultOf(blocks.getAllKeys(all, Math.min(surplus, CHUNK)))
            if (keys.length === 0) break
            for (const key of keys) blocks.delete(key)
            surplus -= keys.length
          }
        }),
      ),
    size: () => guarded(() => db.read((blocks) => resultOf(blocks.count(all)))),
    close: () => guarded(db.close),
  }
}
