import { createDatabaseCloser } from '@org/runtime/databases'
import { bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { ClassicLevel } from 'classic-level'
import { heightOf, type LightBlock } from '../block/light-block.ts'
import type { LightStore } from '../store/port.ts'
import { decodeStored, encodeStored } from '../store/stored-block.ts'
import { storeFailure, toStoreFailure } from './errors.ts'
import { createBlockKeys, encodeSize, PRIMARY_KEY, SIZE_KEY, WITNESSES_KEY } from './keys.ts'

/** The options of {@link openLevelLightStore}. */
export interface LevelLightStoreOptions {
  /** The prefix of the keys. The reference's `light` command uses the chain id. */
  readonly chainId: string
}

/** The addresses of the nodes that a `light` command used last. */
export interface SavedProviders {
  readonly primary: string
  readonly witnesses: readonly string[]
}

/** A store of verified headers in LevelDB. It also stores the addresses of the primary and the witnesses. */
export interface LevelLightStore extends LightStore {
  /** Returns the saved addresses, or `undefined` if none are saved. */
  readonly providers: () => Promise<SavedProviders | undefined>
  readonly saveProviders: (providers: SavedProviders) => Promise<void>
}

type Db = ClassicLevel<Uint8Array, Uint8Array>
type Op =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: Uint8Array }

/** The number of keys that are read from the database at once. */
const CHUNK = 512

/** The range of the keys between `gt` and `lt`, without these two. */
interface KeyRange {
  readonly gt?: string
  readonly lt?: string
  readonly reverse?: boolean
}

/**
 * Opens the LevelDB in the folder `path` (`<home>/light-client-db.db`), in the format of the reference's `light`
 * command. The Go client can use the folder too, but not while this store is open. Throws {@link LightError}
 * (`LIGHT_STORE`).
 */
export async function openLevelLightStore(path: string, { chainId }: LevelLightStoreOptions): Promise<LevelLightStore> {
  const db: Db = new ClassicLevel(path, { keyEncoding: 'view', valueEncoding: 'view' })
  try {
    await db.open()
    return await createLevelLightStore(db, chainId)
  } catch (error) {
    await db.close().catch(() => undefined)
    throw toStoreFailure(path, error)
  }
}

interface Blocks {
  readonly db: Db
  readonly keys: ReturnType<typeof createBlockKeys>
}

/** Yields the stored heights of a range, in order. */
async function* heightsOf({ db, keys }: Blocks, { gt, lt, reverse = false }: KeyRange = {}): AsyncGenerator<number> {
  const begin = gt === undefined ? { gte: utf8ToBytes(keys.first) } : { gt: utf8ToBytes(gt) }
  const end = lt === undefined ? { lte: utf8ToBytes(keys.last) } : { lt: utf8ToBytes(lt) }
  const iterator = db.keys({ ...begin, ...end, reverse })
  try {
    for (;;) {
      const found = await iterator.nextv(CHUNK)
      if (found.length === 0) return
      for (const key of found) {
        const height = keys.heightOf(bytesToUtf8(key))
        if (height !== undefined) yield height
      }
    }
  } finally {
    await iterator.close()
  }
}

async function firstHeightOf(blocks: Blocks, range: KeyRange = {}): Promise<number | undefined> {
  for await (const height of heightsOf(blocks, range)) return height
  return undefined
}

async function createLevelLightStore(db: Db, chainId: string): Promise<LevelLightStore> {
  const path = db.location
  const keys = createBlockKeys(chainId)
  const blocks: Blocks = { db, keys }
  const ending = createDatabaseCloser(db)
  /**
   * The number of stored blocks. The blocks are counted when the store is opened. The number in the database may be too
   * large, because the reference also increases it when a block replaces another block.
   */
  let count = 0
  let turn: Promise<unknown> = Promise.resolve()

  const guarded = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      throw toStoreFailure(path, error)
    })
  /** Runs the changes one after the other, because each of them writes the number of blocks. */
  const change = (work: () => Promise<void>): Promise<void> => {
    const result = turn.then(() => guarded(work))
    turn = result.catch(() => undefined)
    return result
  }

  async function write(ops: readonly Op[], size: number): Promise<void> {
    if (!ending.mayWrite()) throw storeFailure(path, { fault: 'closed', reason: 'the store was closed' })
    await db.batch([...ops, { type: 'put', key: SIZE_KEY, value: encodeSize(size) }], { sync: true })
    count = size
  }

  async function at(height: number): Promise<LightBlock | undefined> {
    const value = await db.get(utf8ToBytes(keys.of(height)))
    if (value === undefined) return undefined
    // The value may be a `Buffer` of Node. It is copied to a plain `Uint8Array`, so that no part of the block is a
    // `Buffer`.
    return decodeStored(height, new Uint8Array(value), (reason, cause) =>
      storeFailure(path, { fault: 'corrupt', reason, cause }),
    )
  }

  for await (const _height of heightsOf(blocks)) count++

  return {
    save: (block) =>
      change(async () => {
        const key = utf8ToBytes(keys.of(heightOf(block)))
        const isNew = (await db.get(key)) === undefined
        await write([{ type: 'put', key, value: encodeStored(block) }], isNew ? count + 1 : count)
      }),
    remove: (height) =>
      change(async () => {
        const key = utf8ToBytes(keys.of(height))
        if ((await db.get(key)) !== undefined) await write([{ type: 'del', key }], count - 1)
      }),
    at: (height) => guarded(() => at(height)),
    before: (height) =>
      guarded(async () => {
        const found = await firstHeightOf(blocks, { lt: keys.of(height), reverse: true })
        return found === undefined ? undefined : at(found)
      }),
    after: (height) =>
      guarded(async () => {
        const found = await firstHeightOf(blocks, { gt: keys.of(height) })
        return found === undefined ? undefined : at(found)
      }),
    firstHeight: () => guarded(() => firstHeightOf(blocks)),
    lastHeight: () => guarded(() => firstHeightOf(blocks, { reverse: true })),
    prune: (size) =>
      change(async () => {
        const ops: Op[] = []
        if (count <= size) return
        for await (const height of heightsOf(blocks)) {
          if (ops.length >= count - size) break
          ops.push({ type: 'del', key: utf8ToBytes(keys.of(height)) })
        }
        await write(ops, count - ops.length)
      }),
    size: async () => count,
    providers: () =>
      guarded(async () => {
        const [primary, witnesses] = await db.getMany([PRIMARY_KEY, WITNESSES_KEY])
        if (primary === undefined) return undefined
        const list = bytesToUtf8(witnesses ?? new Uint8Array(0)).split(',')
        return { primary: bytesToUtf8(primary), witnesses: list.filter((address) => address !== '') }
      }),
    saveProviders: ({ primary, witnesses }) =>
      change(async () => {
        const put = (key: Uint8Array, text: string): Op => ({ type: 'put', key, value: utf8ToBytes(text) })
        await write([put(PRIMARY_KEY, primary), put(WITNESSES_KEY, witnesses.join(','))], count)
      }),
    close: () => guarded(() => turn.then(ending.close)),
  }
}
