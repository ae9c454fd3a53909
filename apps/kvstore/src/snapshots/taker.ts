import type { Logger } from '@org/runtime'
import type { Snapshot } from '@org/types/abci'
import { equalBytes } from '@org/types/bytes'
import { EMPTY_BYTES } from '@org/types/schema'
import type { RulesName } from '../rules/index.ts'
import { decodeState, STATE_KEY } from '../state.ts'
import type { KeyValueStorage } from '../store/index.ts'
import { encodeSnapshot, SNAPSHOT_FORMAT } from './format.ts'

export interface SnapshotOptions {
  /** The least number of heights from one snapshot to the next; 0 for no snapshots. */
  readonly interval: number
  /** The number of snapshots that are kept in memory. */
  readonly keep: number
  /** The most bytes of keys and values in a snapshot; no snapshot is taken of a larger state. */
  readonly maxBytes: number
}

/**
 * Takes a snapshot when a list of snapshots is requested and the newest one is old: without requests it costs
 * nothing.
 */
export interface SnapshotTaker {
  /** `height` is that of the committed state. */
  readonly list: (height: number) => Promise<readonly Snapshot[]>
  /** Empty if the chunk does not exist. */
  readonly load: (height: number, format: number, chunk: number) => Uint8Array
  /** Resolves when the storage is not being read. */
  readonly idle: () => Promise<void>
}

interface Taken {
  readonly snapshot: Snapshot
  readonly chunks: readonly Uint8Array[]
}

interface Modules {
  readonly store: KeyValueStorage
  /** The present rules of the state. */
  readonly rules: () => RulesName
  readonly logger: Logger
}

export function createSnapshotTaker(options: SnapshotOptions, modules: Modules): SnapshotTaker {
  const { interval, keep, maxBytes } = options
  const { store, rules, logger } = modules
  let taken: readonly Taken[] = []
  /** The height of the last snapshot, or of the last attempt. */
  let last = Number.NEGATIVE_INFINITY
  let work: Promise<void> = Promise.resolve()

  async function take(): Promise<void> {
    const pairs: { key: Uint8Array; value: Uint8Array }[] = []
    // A commit may be in progress, so the height is read together with the pairs.
    let height = 0
    let size = 0
    for await (const [key, value] of store.entries()) {
      size += key.length + value.length
      if (size > maxBytes) {
        logger.warn('No snapshot was taken: the state is too large', { maxBytes })
        return
      }
      if (equalBytes(key, STATE_KEY)) height = decodeState(value).height
      pairs.push({ key, value })
    }
    const { chunks, metadata, hash } = encodeSnapshot(rules(), pairs)
    const snapshot = { height, format: SNAPSHOT_FORMAT, chunks: chunks.length, hash, metadata }
    taken = [...taken.filter((other) => other.snapshot.height !== height), { snapshot, chunks }].slice(-keep)
  }

  return {
    list: async (height) => {
      if (interval > 0 && height > 0 && height - last >= interval) {
        last = height
        work = work
          .then(take)
          .catch((error: unknown) => logger.error('No snapshot was taken', { height, error: String(error) }))
      }
      await work
      return taken.map(({ snapshot }) => snapshot)
    },
    load: (height, format, chunk) => {
      const found = taken.find(({ snapshot }) => snapshot.height === height && snapshot.format === format)
      return found?.chunks[chunk] ?? EMPTY_BYTES
    },
    idle: () => work,
  }
}
