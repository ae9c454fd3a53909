import { createLifecycle, createTasks, type Logger, messageOf, nextTurn } from '@org/runtime'
import type { Snapshot } from '@org/types/abci'
import { equalBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { EMPTY_BYTES } from '@org/types/schema'
import type { RulesName } from '../rules/index.ts'
import { decodeState, STATE_KEY } from '../state.ts'
import type { KeyValueStorage } from '../store/index.ts'
import type { SnapshotArchive, SnapshotWriter } from './archive.ts'
import { type ChunkWriter, createChunkWriter } from './chunk-writer.ts'
import { Metadata, SNAPSHOT_FORMAT } from './format.ts'

/** The interval, the number and the size of the snapshots of the key-value store. */
export interface SnapshotOptions {
  /** The minimum number of heights from one snapshot to the next; 0 for no snapshots. */
  readonly interval: number
  /** The number of snapshots that are kept. A snapshot that is being made is stored in addition to them. */
  readonly keep: number
  /** The number of bytes of each chunk except the last one. */
  readonly chunkBytes: number
  /**
   * The maximum number of bytes of a snapshot in memory. Each pair counts 8 bytes more than its key and value together.
   * A state above this limit has no snapshot. The limit does not apply to snapshots in a folder.
   */
  readonly maxBytes: number
}

/**
 * Takes a snapshot when a peer requests the list of snapshots, if the last snapshot is at least `interval` heights old.
 * Without such requests, no snapshot is taken.
 */
export interface SnapshotTaker {
  /**
   * Resolves with the list of the complete snapshots. `height` is the height of the committed state. The call begins a
   * new snapshot if the last snapshot is at least `interval` heights old and no snapshot is being made. The call then
   * waits for the first chunk. If the new snapshot has only one chunk, the returned list contains it. A larger snapshot
   * is made while the chain continues, and is in the lists of later calls.
   */
  readonly list: (height: number) => Promise<readonly Snapshot[]>
  /** Removes the snapshots above `height`, because these snapshots belong to an earlier chain. */
  readonly removeAbove: (height: number) => Promise<void>
  /** Resolves with the bytes of a chunk; they are empty if the chunk does not exist. */
  readonly load: (height: number, format: number, chunk: number) => Promise<Uint8Array>
  /**
   * Stops the snapshot that is being made, and removes all complete snapshots. To be called before another state
   * replaces the present one.
   */
  readonly clear: () => Promise<void>
  /** Stops the snapshot that is being made. Resolves when this snapshot does not read the storage any more. */
  readonly stop: () => Promise<void>
}

interface Modules {
  readonly store: KeyValueStorage
  readonly archive: SnapshotArchive
  /** Returns the name of the rules for transactions that the application uses now. */
  readonly rules: () => RulesName
  readonly logger: Logger
}

/**
 * The number of bytes that are copied in one turn of the event loop. Each pair counts as the bytes of its key and
 * value, and `PAIR_COST` bytes more.
 */
const TURN_BYTES = 64 * 1024
const PAIR_COST = 256

interface CopyHooks {
  readonly isStopped: () => boolean
  /**
   * Called when the first chunk is complete, and again after each later key-value pair. The method `list` waits for the
   * first of these calls. The later calls have no effect.
   */
  readonly onFirstChunk: () => void
  readonly onTooLarge: () => void
}

/**
 * Writes the content of a snapshot. Returns the height of the content, or `undefined` if the snapshot is stopped or
 * becomes too large.
 */
async function copy(
  pairs: ReturnType<KeyValueStorage['entries']>,
  chunks: ChunkWriter,
  { isStopped, onFirstChunk, onTooLarge }: CopyHooks,
): Promise<number | undefined> {
  // A commit during the copying may raise the height of the state. So the height of the snapshot is read from the
  // copied pairs.
  let height = 0
  let cost = 0
  for await (const [key, value] of pairs) {
    if (isStopped()) return undefined
    if (!chunks.hasRoomFor(key, value)) {
      onTooLarge()
      return undefined
    }
    if (equalBytes(key, STATE_KEY)) height = decodeState(value).height
    await chunks.add(key, value)
    if (chunks.written() > 0) onFirstChunk()
    cost += key.length + value.length + PAIR_COST
    if (cost < TURN_BYTES) continue
    cost = 0
    await nextTurn()
  }
  return height
}

export function createSnapshotTaker(options: SnapshotOptions, modules: Modules): SnapshotTaker {
  const { interval, keep, chunkBytes } = options
  const { store, archive, rules, logger } = modules
  /** The height of the newest snapshot, or of the last attempt to take a snapshot if that height is greater. */
  let last = Number.NEGATIVE_INFINITY
  /** The snapshot that is being made. At most one snapshot is made at a time. */
  const making = createTasks()
  const life = createLifecycle({ name: 'the snapshots', finish: making.idle })
  /** The number of calls of `clear` in progress. Above 0, no snapshot is made. */
  let holds = 0

  const isHeld = (): boolean => holds > 0 || life.signal.aborted

  async function make(writer: SnapshotWriter, onFirstChunk: () => void): Promise<void> {
    const usedRules = rules()
    const pairs = store.entries()
    const chunks = createChunkWriter({ chunkBytes, maxBytes: archive.maxBytes }, writer.add)
    const height = await copy(pairs, chunks, {
      isStopped: isHeld,
      onFirstChunk,
      onTooLarge: () => {
        logger.warn('No snapshot was taken, because the state is too large', { maxBytes: archive.maxBytes })
      },
    })
    if (height === undefined || height === 0) return writer.abandon()
    const { size, chunkHashes } = await chunks.end()
    const metadata = Metadata.encode({ rules: usedRules, size, chunkHashes })
    await writer.finish({
      height,
      format: SNAPSHOT_FORMAT,
      chunks: chunkHashes.length,
      hash: sha256(metadata),
      metadata,
    })
    const older = archive.list().slice(0, -keep)
    for (const snapshot of older) await archive.remove(snapshot.height)
  }

  async function take(onFirstChunk: () => void): Promise<void> {
    const writer = await archive.begin()
    try {
      await make(writer, onFirstChunk)
    } catch (error) {
      await writer.abandon().catch(() => undefined)
      throw error
    }
  }

  function start(height: number): Promise<void> {
    last = height
    return new Promise((resolve) => {
      making.add(take(resolve), (error) =>
        logger.error('Failed to take a snapshot', { height, error: messageOf(error) }),
      )
      void making.idle().then(resolve)
    })
  }

  async function removeAbove(height: number): Promise<void> {
    for (const snapshot of archive.list()) if (snapshot.height > height) await archive.remove(snapshot.height)
  }

  return {
    list: async (height) => {
      if (interval === 0) return []
      last = Math.max(last, archive.list().at(-1)?.height ?? last)
      if (height > 0 && height - last >= interval && making.size() === 0 && !isHeld()) await start(height)
      return archive.list()
    },
    load: async (height, format, chunk) => {
      if (format !== SNAPSHOT_FORMAT) return EMPTY_BYTES
      return (await archive.chunk(height, chunk)) ?? EMPTY_BYTES
    },
    removeAbove,
    clear: async () => {
      holds++
      await making.idle()
      holds--
      await removeAbove(0)
      last = Number.NEGATIVE_INFINITY
    },
    stop: life.stop,
  }
}
