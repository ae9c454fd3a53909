import { createDatabaseCloser } from '@org/runtime/databases'
import { ClassicLevel } from 'classic-level'
import { STORE_ERRORS, StoreError } from '../errors.ts'
import { storeError } from './level-error.ts'
import { addAll, type Entry, entriesOf, type KeyRange, type KeyValueStore } from './port.ts'
import { quickBatch } from './quick-batch.ts'

/** The settings of a LevelDB database. */
export interface LevelStoreOptions {
  /** True: the database is created if it does not exist. Default: true. */
  readonly createIfMissing?: boolean
  /**
   * The maximum number of bytes of LevelDB's cache of uncompressed blocks. Default 2 MiB, because the callers have
   * their own caches for frequent reads.
   */
  readonly cacheSize?: number
  /**
   * The size of LevelDB's write buffer in bytes. LevelDB may have two such buffers at the same time. Default 4 MiB, as
   * in the reference.
   */
  readonly writeBufferSize?: number
}

type Db = ClassicLevel<Uint8Array, Uint8Array>

interface TextIterator<T> {
  readonly nextv: (size: number) => Promise<T[]>
  readonly close: () => Promise<void>
}

/** The maximum number of entries that a scan requests from the database at once. */
const CHUNK = 512
/**
 * The maximum number of texts (keys or values as strings) that a scan requests from the database at once. The event
 * loop needs about a millisecond for 1024 texts. A much smaller number would be slow, because each request to the
 * database's thread takes as long as reading a hundred texts. With a much larger number, the texts would still be in
 * memory at the next garbage collections, which would then take longer.
 */
const TEXTS = 1024
/**
 * The options of a scan that does not need the values. The values are read as empty texts, because making an empty text
 * takes less time than making an empty `Uint8Array`. The scan does not fill LevelDB's cache, because it reads each
 * entry only once.
 */
const NO_VALUES = { valueEncoding: 'utf8', fillCache: false } as const
/**
 * The maximum number of bytes that the database returns for one request. If the requested entries have more bytes, it
 * returns fewer entries.
 */
const CHUNK_BYTES = 1 << 18

/**
 * Opens the LevelDB in the folder `path`, such as `data/blockstore.db`. The Go node can open the same folder before
 * or after, but not at the same time.
 */
export async function openLevelStore(path: string, options: LevelStoreOptions = {}): Promise<KeyValueStore> {
  const db: Db = new ClassicLevel(path, {
    keyEncoding: 'view',
    valueEncoding: 'view',
    createIfMissing: options.createIfMissing ?? true,
    cacheSize: options.cacheSize ?? 2 << 20,
    writeBufferSize: options.writeBufferSize ?? 4 << 20,
  })
  try {
    await db.open()
  } catch (error) {
    throw storeError(error, path)
  }
  return levelStore(db)
}

/**
 * Makes a {@link KeyValueStore} from an open LevelDB. The function is long because it contains all operations of the
 * store.
 */
function levelStore(db: Db): KeyValueStore {
  const path = db.location
  const ending = createDatabaseCloser(db)

  function get(key: Uint8Array): Uint8Array | undefined {
    try {
      const value = db.getSync(key)
      return value === undefined ? undefined : plain(value)
    } catch (error) {
      throw storeError(error, path)
    }
  }

  async function* chunks(range: KeyRange = {}): AsyncGenerator<readonly Entry[]> {
    let iterator: ReturnType<Db['iterator']> | undefined
    try {
      iterator = db.iterator({ ...range, highWaterMarkBytes: CHUNK_BYTES })
      for (;;) {
        const entries = (await iterator.nextv(CHUNK)) as [Uint8Array, Uint8Array][]
        if (entries.length === 0) return
        for (const entry of entries) {
          entry[0] = plain(entry[0])
          entry[1] = plain(entry[1])
        }
        yield entries
      }
    } catch (error) {
      throw storeError(error, path)
    } finally {
      await iterator?.close()
    }
  }

  async function* keys(range: KeyRange = {}): AsyncGenerator<Uint8Array> {
    let iterator: ReturnType<Db['keys']> | undefined
    try {
      iterator = db.keys({ ...range, ...NO_VALUES, highWaterMarkBytes: CHUNK_BYTES })
      for (;;) {
        const found = await iterator.nextv(CHUNK)
        if (found.length === 0) return
        for (const key of found as Uint8Array[]) yield plain(key)
      }
    } catch (error) {
      throw storeError(error, path)
    } finally {
      await iterator?.close()
    }
  }

  /**
   * Yields the keys, the values or the entries of a range as texts, many at a time. `open` opens the iterator that
   * reads them. While the caller uses the texts of one read, the database reads the next texts.
   */
  async function* texts<T>(open: () => TextIterator<T>): AsyncGenerator<readonly T[]> {
    let iterator: TextIterator<T> | undefined
    try {
      iterator = open()
      let next = iterator.nextv(TEXTS)
      for (;;) {
        const found = await next
        if (found.length === 0) return
        next = iterator.nextv(TEXTS)
        // If the caller ends the scan early, nothing waits for this promise. Without this handler, an error of this
        // promise would end the process.
        next.catch(() => undefined)
        yield found
      }
    } catch (error) {
      throw storeError(error, path)
    } finally {
      await iterator?.close()
    }
  }

  async function* keyTexts(range: KeyRange = {}): AsyncGenerator<readonly string[]> {
    const bounds = textRange(range)
    if (bounds === undefined) {
      for await (const entries of chunks(range)) yield entries.map(([key]) => new TextDecoder().decode(key))
    } else {
      const options = { ...NO_VALUES, keyEncoding: 'utf8', highWaterMarkBytes: CHUNK_BYTES } as const
      yield* texts(() => db.keys<string>({ ...bounds, ...options }))
    }
  }

  async function* entryTexts(range: KeyRange = {}): AsyncGenerator<readonly (readonly [string, string])[]> {
    const bounds = textRange(range)
    if (bounds === undefined) {
      const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
      for await (const entries of chunks(range)) yield entries.map(([key, value]) => [text(key), text(value)] as const)
    } else {
      const encodings = { keyEncoding: 'utf8', valueEncoding: 'utf8', highWaterMarkBytes: CHUNK_BYTES } as const
      yield* texts(() => db.iterator<string, string>({ ...bounds, ...encodings }))
    }
  }

  async function* valueTexts(range: KeyRange = {}): AsyncGenerator<readonly string[]> {
    const bounds = textRange(range)
    if (bounds === undefined) {
      for await (const entries of chunks(range)) yield entries.map(([, value]) => new TextDecoder().decode(value))
    } else {
      // The keys are not needed. With this option the database returns them as empty texts, because making an empty
      // text takes less time than making an empty `Uint8Array`.
      const encodings = { keyEncoding: 'utf8', valueEncoding: 'utf8', highWaterMarkBytes: CHUNK_BYTES } as const
      yield* texts(() => db.values<string, string>({ ...bounds, ...encodings }))
    }
  }

  return {
    get,
    has: (key) => get(key) !== undefined,
    getMany: async (keys) => {
      try {
        const values = await db.getMany(keys as Uint8Array[])
        return values.map((value) => (value === undefined ? undefined : plain(value)))
      } catch (error) {
        throw storeError(error, path)
      }
    },
    write: async (ops, { sync = false } = {}) => {
      if (!ending.mayWrite()) throw new StoreError(STORE_ERRORS.closed, `the database ${path} is closed`)
      try {
        const chained = db.batch()
        const batch = quickBatch(chained)
        if (typeof ops === 'function') ops(batch)
        else addAll(batch, ops)
        await chained.write({ sync })
      } catch (error) {
        throw storeError(error, path)
      }
    },
    iterate: (range) => entriesOf(chunks(range)),
    keys,
    chunks,
    keyTexts,
    entryTexts,
    valueTexts,
    close: () =>
      ending.close().catch((error: unknown) => {
        throw storeError(error, path)
      }),
  }
}

interface TextRange extends Omit<KeyRange, 'gt' | 'gte' | 'lt' | 'lte'> {
  gt?: string
  gte?: string
  lt?: string
  lte?: string
}

/**
 * Returns the same range with texts as bounds. The database encodes these texts as UTF-8. Returns `undefined` if a
 * bound is not UTF-8.
 */
function textRange({ gt, gte, lt, lte, ...rest }: KeyRange): TextRange | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const texts: TextRange = rest
  try {
    if (gt !== undefined) texts.gt = decoder.decode(gt)
    if (gte !== undefined) texts.gte = decoder.decode(gte)
    if (lt !== undefined) texts.lt = decoder.decode(lt)
    if (lte !== undefined) texts.lte = decoder.decode(lte)
    return texts
  } catch {
    return undefined
  }
}

/** Returns the same bytes as a plain `Uint8Array`, so that callers do not receive the database's `Buffer`. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}
