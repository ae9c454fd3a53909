import type { Application } from '@org/abci'
import { createSystemClock } from '@org/runtime'
import { equalBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { bytes, field, type MessageSchema, message, repeated, safeUint64, uint32 } from '@org/types/schema'
import type { Storage, StorageOp } from '../storage/port.ts'
import type { Versions } from '../tree/index.ts'
import { chunksOf, MAX_CHUNKS, Metadata, SNAPSHOT_FORMAT } from './format.ts'

export interface SnapshotOptions {
  /** The interval of snapshots: a snapshot is taken at each height that is a multiple of this number. */
  readonly every: number
  /** The number of snapshots that are kept. Default: 2. */
  readonly keep?: number
}

interface Entry {
  readonly height: number
  readonly chunks: number
  readonly metadata: Uint8Array
}
const Entry: MessageSchema<Entry> = message('halley.app.SnapshotEntry', {
  height: field(1, safeUint64),
  chunks: field(2, uint32),
  metadata: field(3, bytes),
})
const List: MessageSchema<{ readonly entries: readonly Entry[] }> = message('halley.app.Snapshots', {
  entries: repeated(1, Entry),
})

const LIST_KEY = Uint8Array.of(0x53)
const CHUNK_PREFIX = 0x73
const DEFAULT_KEEP = 2

function chunkKey(height: number, index: number): Uint8Array {
  const key = new Uint8Array(13)
  const view = new DataView(key.buffer)
  key[0] = CHUNK_PREFIX
  view.setBigUint64(1, BigInt(height))
  view.setUint32(9, index)
  return key
}

/** The snapshots that this node has taken. */
export interface Snapshots {
  /** Begins a snapshot of the last version if a snapshot is due, and if no other snapshot is being taken. */
  readonly afterCommit: () => void
  readonly list: NonNullable<Application['listSnapshots']>
  readonly chunk: NonNullable<Application['loadSnapshotChunk']>
  /** Resolves when the snapshot that is being taken is complete. */
  readonly idle: () => Promise<void>
  /** Stops a snapshot that is being taken, before it is complete. */
  readonly close: () => Promise<void>
}

interface SnapshotModules {
  readonly storage: Storage
  readonly versions: Versions
  readonly onError: (error: unknown, where: string) => void
}

/** Takes snapshots while blocks are made: one chunk, or a part of one, in each turn of the event loop. */
export function createSnapshots(options: SnapshotOptions | undefined, modules: SnapshotModules): Snapshots {
  const { storage, versions, onError } = modules
  const clock = createSystemClock()
  let running: Promise<void> | undefined
  const closing = new AbortController()

  const entries = (): readonly Entry[] => {
    const list = storage.get(LIST_KEY)
    return list === undefined ? [] : List.decode(list).entries
  }
  const removal = ({ height, chunks }: Entry): StorageOp[] =>
    Array.from({ length: chunks }, (_, index) => ({ type: 'del', key: chunkKey(height, index) }))

  async function take(height: number, keep: number): Promise<void> {
    const { tree } = versions.at(height)
    const chunkHashes: Uint8Array[] = []
    for (const value of chunksOf(tree, versions.load)) {
      if (closing.signal.aborted || chunkHashes.length === MAX_CHUNKS) {
        await storage.write(removal({ height, chunks: chunkHashes.length, metadata: new Uint8Array(0) }))
        return
      }
      if (value !== undefined) {
        await storage.write([{ type: 'put', key: chunkKey(height, chunkHashes.length), value }])
        chunkHashes.push(sha256(value))
      }
      await clock.sleep(0)
    }
    const taken = { height, chunks: chunkHashes.length, metadata: Metadata.encode({ chunkHashes }) }
    const all = [...entries().filter((entry) => entry.height !== height), taken]
    const [old, kept] = [all.slice(0, -keep), all.slice(-keep)]
    const value = List.encode({ entries: kept })
    await storage.write([...old.flatMap(removal), { type: 'put', key: LIST_KEY, value }])
  }

  return {
    afterCommit: () => {
      const { version } = versions.last()
      if (options === undefined || running !== undefined || version % options.every !== 0) return
      const unpin = versions.pin(version)
      running = take(version, options.keep ?? DEFAULT_KEEP)
        .catch((error: unknown) => onError(error, `the snapshot of height ${version}`))
        .finally(() => {
          unpin()
          running = undefined
        })
    },
    list: () => ({
      snapshots: entries().map(({ height, chunks, metadata }) => {
        return { height, format: SNAPSHOT_FORMAT, chunks, hash: sha256(metadata), metadata }
      }),
    }),
    chunk: ({ height, format, chunk }) => {
      const isKept =
        format === SNAPSHOT_FORMAT && entries().some((entry) => entry.height === height && chunk < entry.chunks)
      return isKept ? { chunk: storage.get(chunkKey(height, chunk)) } : {}
    },
    idle: async () => running,
    close: async () => {
      closing.abort()
      await running
    },
  }
}

export const isChunkRight = (chunk: Uint8Array, hash: Uint8Array): boolean => equalBytes(sha256(chunk), hash)
