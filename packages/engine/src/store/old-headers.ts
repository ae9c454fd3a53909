import type { Lane } from '@org/runtime'
import { type BlockId, BlockMeta, Commit, type Header } from '@org/types'
import { field, type MessageSchema, message, safeInt64 } from '@org/types/schema'
import * as keys from './block-keys.ts'
import { STORE_ERRORS, StoreError } from './errors.ts'
import { heightBatches } from './height-batches.ts'
import { del, type KeyValueStore, type Op, put } from './kv/index.ts'
import { readMessage } from './records.ts'

/**
 * The range of heights below the lowest block for which headers and commits are stored, so that evidence can be
 * verified.
 */
export interface BackfilledRange {
  /** The greatest height of the range: the height of the snapshot with which this home began. */
  readonly snapshot: number
  /** The lowest height of the range; `snapshot + 1` if the range is empty. */
  readonly lowest: number
}

/** A verified header below the lowest block of the store. */
export interface OldHeader {
  readonly header: Header
  readonly blockId: BlockId
  /** The commit of the height. It is absent for the height of the snapshot: the next block contains this commit. */
  readonly commit: Commit | undefined
}

/**
 * The headers and commits below the lowest block. They have the same keys as the headers and commits of stored blocks.
 * When the reference removes a block, it leaves the header and the commit under these keys, as long as evidence may
 * need them.
 */
export interface OldHeaders {
  /**
   * Returns a range of heights that are below the lowest block of the store. For each height in this range, the header
   * and the commit are stored, so evidence about this height can be verified. Returns `undefined` in two cases. In the
   * first case, this home did not begin with a snapshot. In the second case, a crash ended the restore after
   * `markBackfill`, and the home then began with a block at or below the height of the snapshot.
   */
  readonly backfilled: () => BackfilledRange | undefined
  /**
   * Records that this home begins with the snapshot of a height, and that no older header is stored yet. Removes the
   * older headers that belong to another snapshot.
   */
  readonly markBackfill: (snapshot: number) => Promise<void>
  /** Saves the next headers below the stored range, in the order of falling heights. */
  readonly saveOldHeaders: (headers: readonly OldHeader[]) => Promise<void>
  /** Removes the stored headers of the range that are below `lowest`. */
  readonly removeOldHeaders: (lowest: number) => Promise<void>
}

export interface OldHeadersModules {
  readonly db: KeyValueStore
  /** The lane of all writes to the block store. */
  readonly lane: Lane
  /** The height of the lowest stored block; 0 if no block is stored. */
  readonly base: () => number
  /** Removes a height from the caches of the block store. */
  readonly forget: (height: number) => void
}

const BackfillRecord: MessageSchema<BackfilledRange> = message('halley.store.Backfill', {
  snapshot: field(1, safeInt64),
  lowest: field(2, safeInt64),
})

/**
 * Stored in place of the size of the block and of the number of its transactions, because a header proves neither of
 * these two numbers. Version 0.35 of the reference wrote the same value.
 */
const UNKNOWN = -1

const rangeOp = (range: BackfilledRange): Op => put(keys.BACKFILL_KEY, BackfillRecord.encode(range))

function headerOps({ header, blockId, commit }: OldHeader): Op[] {
  const { height } = header
  const meta: BlockMeta = { blockId, blockSize: UNKNOWN, header, numTxs: UNKNOWN }
  const ops = [put(keys.metaKey(height), BlockMeta.encode(meta))]
  if (commit !== undefined) ops.push(put(keys.commitKey(height), Commit.encode(commit)))
  return ops
}

function invalid(problem: string, data: Readonly<Record<string, unknown>>): StoreError {
  return new StoreError(STORE_ERRORS.invalid, problem, { data })
}

/** Throws unless the headers continue the range downwards, without a gap. */
function checkNext(range: BackfilledRange | undefined, headers: readonly OldHeader[]): BackfilledRange {
  if (range === undefined) throw invalid('no backfill has begun in this block store', {})
  for (const [index, { header }] of headers.entries()) {
    const wanted = range.lowest - 1 - index
    if (header.height === wanted) continue
    const problem = `the next header below the stored ones must have height ${wanted}, and not ${header.height}`
    throw invalid(problem, { height: header.height, wanted })
  }
  return range
}

/** Creates the part of the block store that has the headers below the lowest block. */
export function createOldHeaders({ db, lane, base, forget }: OldHeadersModules): OldHeaders {
  let marked = readMessage(db, keys.BACKFILL_KEY, BackfillRecord)

  /**
   * Returns the recorded range of heights below the lowest block. Returns `undefined` if no range is recorded, or if
   * the lowest stored block is at or below the height of the snapshot. In the second case, a crash ended the restore
   * after `markBackfill`, and the home then began with blocks instead of the snapshot. The recorded range is ignored,
   * because the headers at its heights may belong to stored blocks, and must then be neither replaced nor removed.
   */
  function range(): BackfilledRange | undefined {
    const isOther = marked !== undefined && base() > 0 && base() <= marked.snapshot
    return isOther ? undefined : marked
  }

  /** Writes `ops` and the new range as one batch. The range in memory changes only after the write. */
  async function commit(ops: readonly Op[], next: BackfilledRange): Promise<void> {
    await db.write([...ops, rangeOp(next)], { sync: true })
    marked = next
  }

  async function remove(from: BackfilledRange, lowest: number): Promise<void> {
    for (const heights of heightBatches(from.lowest, lowest)) {
      const ops = heights.flatMap((height) => [del(keys.metaKey(height)), del(keys.commitKey(height))])
      await commit(ops, { ...from, lowest: (heights.at(-1) as number) + 1 })
      for (const height of heights) forget(height)
    }
  }

  return {
    backfilled: range,
    markBackfill: (snapshot) =>
      lane(async () => {
        const before = range()
        if (before !== undefined) await remove(before, before.snapshot + 1)
        await commit([], { snapshot, lowest: snapshot + 1 })
      }),
    saveOldHeaders: (headers) =>
      lane(async () => {
        const { snapshot, lowest } = checkNext(range(), headers)
        await commit(headers.flatMap(headerOps), { snapshot, lowest: lowest - headers.length })
      }),
    removeOldHeaders: (lowest) =>
      lane(async () => {
        const stored = range()
        if (stored !== undefined) await remove(stored, Math.min(lowest, stored.snapshot + 1))
      }),
  }
}
