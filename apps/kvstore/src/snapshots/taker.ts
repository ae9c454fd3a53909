import type { Logger } from '@org/runtime'
import type { Snapshot } from '@org/types/abci'
import { EMPTY_BYTES } from '@org/types/schema'
import type { RulesName } from '../rules/index.ts'
import type { AppState } from '../state.ts'
import type { KeyValueStorage } from '../store/index.ts'
import { encodeSnapshot, SNAPSHOT_FORMAT } from './format.ts'

export interface SnapshotOptions {
  /** A snapshot is taken at every height that this divides; 0 for none. */
  readonly interval: number
  /** Snapshots that are kept, in memory. */
  readonly keep: number
  /** Bytes of keys and values; a larger state is not taken. */
  readonly maxBytes: number
}

export interface SnapshotTaker {
  /** Call it when `state` is committed, before anything else changes. The work is done later. */
  readonly committed: (state: AppState) => void
  /** What there is, when what is under way is done. */
  readonly list: () => Promise<readonly Snapshot[]>
  /** Empty if there is no such chunk. */
  readonly load: (height: number, format: number, chunk: number) => Uint8Array
}

interface Taken {
  readonly snapshot: Snapshot
  readonly chunks: readonly Uint8Array[]
}

interface Modules {
  readonly store: KeyValueStorage
  readonly rules: RulesName
  readonly logger: Logger
}

export function createSnapshotTaker(options: SnapshotOptions, modules: Modules): SnapshotTaker {
  const { store, rules, logger } = modules
  let taken: readonly Taken[] = []
  let work: Promise<void> | undefined

  async function take(height: number, entries: ReturnType<KeyValueStorage['entries']>): Promise<void> {
    const pairs: { key: Uint8Array; value: Uint8Array }[] = []
    let size = 0
    for await (const [key, value] of entries) {
      size += key.length + value.length
      if (size > options.maxBytes) {
        logger.warn('no snapshot: the state is too large', { height, maxBytes: options.maxBytes })
        return
      }
      pairs.push({ key, value })
    }
    const { chunks, metadata, hash } = encodeSnapshot(rules, pairs)
    const snapshot = { height, format: SNAPSHOT_FORMAT, chunks: chunks.length, hash, metadata }
    taken = [...taken, { snapshot, chunks }].slice(-options.keep)
  }

  return {
    committed: ({ height }) => {
      const due = options.interval > 0 && height > 0 && height % options.interval === 0
      // One at a time: where commits outrun snapshots, some heights have none.
      if (!due || work !== undefined) return
      work = take(height, store.entries())
        .catch((error: unknown) => logger.error('no snapshot', { height, error: String(error) }))
        .finally(() => {
          work = undefined
        })
    },
    list: async () => {
      await work
      return taken.map(({ snapshot }) => snapshot)
    },
    load: (height, format, chunk) => {
      const found = taken.find(({ snapshot }) => snapshot.height === height && snapshot.format === format)
      return found?.chunks[chunk] ?? EMPTY_BYTES
    },
  }
}
