import type { Application } from '@org/abci'
import { createLifecycle, createSystemClock, createTasks } from '@org/runtime'
import { equalBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { APP_ERRORS, AppError } from '../errors.ts'
import type { Storage } from '../storage/port.ts'
import type { Versions } from '../tree/index.ts'
import { CHUNK_BYTES, chunksOf, MAX_CHUNKS, Metadata, SNAPSHOT_FORMAT } from './format.ts'
import { createSnapshotStore } from './snapshot-store.ts'

/** The options of snapshots of the application's state: the heights at which they are taken, and their number. */
export interface SnapshotOptions {
  /** The interval of snapshots: a snapshot is taken at each height that is a multiple of this number. */
  readonly every: number
  /** The number of snapshots that are kept. Default: 2. */
  readonly keep?: number
}

const DEFAULT_KEEP = 2

const TOO_LARGE = `no snapshot was taken: the state has more than ${MAX_CHUNKS} chunks of ${CHUNK_BYTES} bytes`

/** The snapshots that this node has taken. */
export interface Snapshots {
  /** Begins a snapshot of the last version if a snapshot is due, and if no other snapshot is being taken. */
  readonly afterCommit: () => void
  readonly list: NonNullable<Application['listSnapshots']>
  readonly chunk: NonNullable<Application['loadSnapshotChunk']>
  /** Resolves when the snapshot that is being taken is complete. */
  readonly idle: () => Promise<void>
  /** Ends the work on a snapshot that is not complete yet. */
  readonly close: () => Promise<void>
}

interface SnapshotModules {
  readonly storage: Storage
  readonly versions: Versions
  readonly onError: (error: unknown, where: string) => void
}

/**
 * Takes snapshots while blocks are made: one chunk, or a part of one, in each turn of the event loop. First removes
 * what a crash left of an incomplete snapshot.
 */
export function createSnapshots(options: SnapshotOptions | undefined, modules: SnapshotModules): Snapshots {
  const { versions, onError } = modules
  const store = createSnapshotStore(modules.storage)
  const clock = createSystemClock()
  /** The snapshot that is being taken. At most one snapshot is taken at a time. */
  const taking = createTasks()
  const life = createLifecycle({ name: 'the snapshots', finish: idle })
  /** A crash during a snapshot leaves chunks in the storage. This promise resolves when these chunks are removed. */
  const cleaned = store
    .removeIncomplete()
    .catch((error: unknown) => onError(error, 'chunks of an interrupted snapshot'))

  async function idle(): Promise<void> {
    await cleaned
    await taking.idle()
  }

  /**
   * Writes the chunks of the state at `height`. Returns their hashes; `undefined` if the application is being closed.
   */
  async function writeChunks(height: number): Promise<readonly Uint8Array[] | undefined> {
    const { tree } = versions.at(height)
    const hashes: Uint8Array[] = []
    for (const part of chunksOf(tree, versions.load)) {
      if (life.signal.aborted) return undefined
      if (part !== 'pause') {
        if (hashes.length === MAX_CHUNKS) throw new AppError(APP_ERRORS.snapshot, TOO_LARGE)
        await store.putChunk(height, hashes.length, part)
        hashes.push(sha256(part))
      }
      await clock.sleep(0)
    }
    return hashes
  }

  async function take(height: number, keep: number): Promise<void> {
    await cleaned
    await store.begin(height)
    const chunkHashes = await writeChunks(height)
    if (chunkHashes === undefined) return store.removeIncomplete()
    const metadata = Metadata.encode({ chunkHashes })
    await store.complete({ height, chunks: chunkHashes.length, metadata }, keep)
  }

  return {
    afterCommit: () => {
      const { version } = versions.last()
      if (options === undefined || taking.size() > 0 || version % options.every !== 0) return
      const unpin = versions.pin(version)
      const report = (error: unknown): void => onError(error, `the snapshot of height ${version}`)
      const taken = take(version, options.keep ?? DEFAULT_KEEP)
        .catch((error: unknown) => {
          report(error)
          return store.removeIncomplete()
        })
        .finally(unpin)
      taking.add(taken, report)
    },
    list: () => ({
      snapshots: store.list().map(({ height, chunks, metadata }) => {
        return { height, format: SNAPSHOT_FORMAT, chunks, hash: sha256(metadata), metadata }
      }),
    }),
    chunk: ({ height, format, chunk }) => {
      const isKept =
        format === SNAPSHOT_FORMAT && store.list().some((entry) => entry.height === height && chunk < entry.chunks)
      return isKept ? { chunk: store.chunk(height, chunk) } : {}
    },
    idle,
    close: life.stop,
  }
}

export const isChunkRight = (chunk: Uint8Array, hash: Uint8Array): boolean => equalBytes(sha256(chunk), hash)
