import { bytes, field, type MessageSchema, message, repeated, safeUint64, uint32 } from '@org/types/schema'
import type { Storage, StorageOp } from '../storage/port.ts'

/** A complete snapshot in the storage. */
export interface StoredSnapshot {
  readonly height: number
  readonly chunks: number
  readonly metadata: Uint8Array
}
const StoredSnapshot: MessageSchema<StoredSnapshot> = message('halley.app.SnapshotEntry', {
  height: field(1, safeUint64),
  chunks: field(2, uint32),
  metadata: field(3, bytes),
})
const List: MessageSchema<{ readonly entries: readonly StoredSnapshot[] }> = message('halley.app.Snapshots', {
  entries: repeated(1, StoredSnapshot),
})
/** A snapshot that was begun and is not complete, with the number of its chunks that are in the storage. */
type Begun = Pick<StoredSnapshot, 'height' | 'chunks'>
const Begun: MessageSchema<Begun> = message('halley.app.BegunSnapshot', {
  height: field(1, safeUint64),
  chunks: field(2, uint32),
})

const LIST_KEY = Uint8Array.of(0x53)
/** The key of the snapshot that was begun and is not complete. */
const BEGUN_KEY = Uint8Array.of(0x54)
const CHUNK_PREFIX = 0x73

function chunkKey(height: number, index: number): Uint8Array {
  const key = new Uint8Array(13)
  const view = new DataView(key.buffer)
  key[0] = CHUNK_PREFIX
  view.setBigUint64(1, BigInt(height))
  view.setUint32(9, index)
  return key
}

const removal = ({ height, chunks }: Begun): StorageOp[] =>
  Array.from({ length: chunks }, (_, index) => ({ type: 'del', key: chunkKey(height, index) }))

/** The snapshots in a storage: the list of the complete snapshots, and the chunks of each snapshot. */
export interface SnapshotStore {
  readonly list: () => readonly StoredSnapshot[]
  readonly chunk: (height: number, index: number) => Uint8Array | undefined
  /** Begins a snapshot. Removes an older snapshot of this height, and the chunks of a snapshot that is not complete. */
  readonly begin: (height: number) => Promise<void>
  /** Writes a chunk of the snapshot that was begun. Chunks are written in their order, from index 0. */
  readonly putChunk: (height: number, index: number, chunk: Uint8Array) => Promise<void>
  /**
   * Adds the complete snapshot to the list. Then removes the oldest snapshots, so that at most `keep` snapshots remain.
   */
  readonly complete: (snapshot: StoredSnapshot, keep: number) => Promise<void>
  /** Removes the chunks of a snapshot that was begun and is not complete, such as after a crash. */
  readonly removeIncomplete: () => Promise<void>
}

export function createSnapshotStore(storage: Storage): SnapshotStore {
  const list = (): readonly StoredSnapshot[] => {
    const stored = storage.get(LIST_KEY)
    return stored === undefined ? [] : List.decode(stored).entries
  }
  const putList = (entries: readonly StoredSnapshot[]): StorageOp => {
    return { type: 'put', key: LIST_KEY, value: List.encode({ entries }) }
  }
  const putBegun = (begun: Begun): StorageOp => ({ type: 'put', key: BEGUN_KEY, value: Begun.encode(begun) })

  async function removeIncomplete(): Promise<void> {
    const begun = storage.get(BEGUN_KEY)
    if (begun === undefined) return
    await storage.write([...removal(Begun.decode(begun)), { type: 'del', key: BEGUN_KEY }])
  }

  return {
    list,
    chunk: (height, index) => storage.get(chunkKey(height, index)),
    removeIncomplete,
    begin: async (height) => {
      await removeIncomplete()
      const older = list().filter((entry) => entry.height === height)
      await storage.write([
        putList(list().filter((entry) => entry.height !== height)),
        ...older.flatMap(removal),
        putBegun({ height, chunks: 0 }),
      ])
    },
    putChunk: (height, index, value) =>
      storage.write([{ type: 'put', key: chunkKey(height, index), value }, putBegun({ height, chunks: index + 1 })]),
    complete: async (snapshot, keep) => {
      const all = [...list(), snapshot]
      const old = all.slice(0, -keep)
      await storage.write([...old.flatMap(removal), putList(all.slice(-keep)), { type: 'del', key: BEGUN_KEY }])
    },
  }
}
