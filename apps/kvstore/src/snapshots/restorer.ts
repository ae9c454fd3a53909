import { createLane, isCodedError, type Logger, messageOf, nextTurn } from '@org/runtime'
import {
  ApplySnapshotChunkResult,
  OfferSnapshotResult,
  type RequestApplySnapshotChunk,
  type RequestOfferSnapshot,
  type ResponseApplySnapshotChunk,
} from '@org/types/abci'
import { equalBytes } from '@org/types/bytes'
import { badSnapshot, KVSTORE_ERRORS } from '../errors.ts'
import { isRulesName, mayOpen, type RulesName } from '../rules/index.ts'
import type { KeyValueStorage, Replacement, StorageOp } from '../store/index.ts'
import { type ContentCheck, createContentCheck } from './content-check.ts'
import { decodeMetadata, hashOfChunk, MAX_SNAPSHOT_BYTES, SNAPSHOT_FORMAT } from './format.ts'
import { createPairReader, type PairReader } from './pair-reader.ts'

type Answer = Partial<ResponseApplySnapshotChunk>

/**
 * Restores the state from an offered snapshot. The chunks are written into an empty store, which replaces the present
 * state at the end.
 */
export interface SnapshotRestorer {
  readonly offer: (request: RequestOfferSnapshot) => Promise<OfferSnapshotResult>
  readonly apply: (request: RequestApplySnapshotChunk) => Promise<Answer>
  /** Removes the data of a restore that was interrupted. */
  readonly close: () => Promise<void>
}

interface Modules {
  readonly store: KeyValueStorage
  readonly logger: Logger
  /** `beforeCommit` runs before the new state replaces the present state, and `afterCommit` runs after that. */
  readonly beforeCommit: () => Promise<void>
  readonly afterCommit: () => Promise<void>
}

/** A restore in progress. */
interface Restore {
  readonly height: number
  readonly appHash: Uint8Array
  readonly size: number
  readonly chunkHashes: readonly Uint8Array[]
  readonly replacement: Replacement
  readonly reader: PairReader
  readonly check: ContentCheck
  /**
   * The write of the pairs that the last received chunk contained. It must end before the pairs of the next chunk are
   * written.
   */
  writing: Promise<void>
  next: number
  received: number
}

/** The maximum number of pairs in one write to the store. */
const BATCH_PAIRS = 1000
const BATCH_BYTES = 256 * 1024

const { accept, abort, retry, rejectSnapshot } = ApplySnapshotChunkResult

/** A failure of the storage. The restore is then aborted, but the snapshot is not rejected, because it may be valid. */
class StorageFailure extends Error {}

async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isCodedError(error) && error.code === KVSTORE_ERRORS.tooLarge) throw error
    throw new StorageFailure(messageOf(error), { cause: error })
  }
}

/**
 * Checks the key-value pairs whose last byte is in this chunk, and divides these pairs into batches. A pair may begin
 * in an earlier chunk. Each batch is one write to the store.
 */
async function readBatches({ reader, check }: Restore, chunk: Uint8Array): Promise<readonly StorageOp[][]> {
  const batches: StorageOp[][] = []
  let ops: StorageOp[] = []
  let bytes = 0
  for (const pair of reader.push(chunk)) {
    check.take(pair)
    ops.push({ type: 'put', ...pair })
    bytes += pair.key.length + pair.value.length
    if (ops.length < BATCH_PAIRS && bytes < BATCH_BYTES) continue
    batches.push(ops)
    await nextTurn()
    ops = []
    bytes = 0
  }
  if (ops.length > 0) batches.push(ops)
  return batches
}

async function writeBatches({ replacement }: Restore, batches: readonly StorageOp[][]): Promise<void> {
  for (const ops of batches) {
    await onDisk(replacement.write(ops))
    await nextTurn()
  }
}

export function createSnapshotRestorer(
  { rules }: { readonly rules: RulesName },
  { store, logger, beforeCommit, afterCommit }: Modules,
): SnapshotRestorer {
  let restore: Restore | undefined
  /** Runs the node's requests one after the other, because each request may change the restore in progress. */
  const inOrder = createLane()

  async function abandon(): Promise<void> {
    const { replacement } = restore ?? {}
    await restore?.writing.catch(() => undefined)
    restore = undefined
    await replacement?.abandon().catch((error: unknown) => {
      logger.error('Failed to remove the data of an interrupted restore', { error: messageOf(error) })
    })
  }

  async function offer({ snapshot, appHash }: RequestOfferSnapshot): Promise<OfferSnapshotResult> {
    await abandon()
    if (snapshot === undefined) return OfferSnapshotResult.reject
    if (snapshot.format !== SNAPSHOT_FORMAT) return OfferSnapshotResult.rejectFormat
    const metadata = decodeMetadata(snapshot.metadata, snapshot.hash)
    const fits =
      metadata !== undefined &&
      metadata.chunkHashes.length === snapshot.chunks &&
      metadata.size <= MAX_SNAPSHOT_BYTES &&
      isRulesName(metadata.rules) &&
      mayOpen(metadata.rules, rules)
    if (!fits) return OfferSnapshotResult.reject
    try {
      restore = {
        height: snapshot.height,
        appHash: appHash.slice(),
        size: metadata.size,
        chunkHashes: metadata.chunkHashes.map((hash) => hash.slice()),
        replacement: await store.replace(),
        reader: createPairReader(),
        check: createContentCheck(rules),
        writing: Promise.resolve(),
        next: 0,
        received: 0,
      }
    } catch (error) {
      logger.error('Cannot restore a snapshot: the database for it cannot be made', { error: messageOf(error) })
      return OfferSnapshotResult.abort
    }
    return OfferSnapshotResult.accept
  }

  async function finish(current: Restore): Promise<void> {
    const { check, reader, replacement, received, size } = current
    if (received !== size || !reader.isComplete()) throw badSnapshot('the chunks do not have the announced size')
    check.end(current)
    await current.writing
    await onDisk(beforeCommit())
    await onDisk(replacement.commit())
    restore = undefined
    await afterCommit()
  }

  async function takeChunk(current: Restore, chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0) throw badSnapshot('a chunk is empty')
    current.next++
    current.received += chunk.length
    if (current.received > current.size) throw badSnapshot('the chunks are larger than the announced size')
    const batches = await readBatches(current, chunk)
    await current.writing
    current.writing = writeBatches(current, batches)
    // Prevents an unhandled rejection. The next chunk, or the end of the restore, throws the error of this write.
    current.writing.catch(() => undefined)
    if (current.next === current.chunkHashes.length) await finish(current)
  }

  async function apply({ index, chunk, sender }: RequestApplySnapshotChunk): Promise<Answer> {
    const current = restore
    const wanted = current?.chunkHashes[index]
    if (current === undefined || wanted === undefined) return { result: abort }
    if (!equalBytes(await hashOfChunk(chunk), wanted)) {
      return { result: retry, refetchChunks: [index], rejectSenders: sender === '' ? [] : [sender] }
    }
    if (index < current.next) return { result: accept }
    if (index > current.next) return { result: retry, refetchChunks: [current.next] }
    try {
      await takeChunk(current, chunk)
      return { result: accept }
    } catch (error) {
      const isDisk = error instanceof StorageFailure
      const text = isDisk ? 'Failed to write a restored snapshot' : 'Rejected a snapshot: its content is not valid'
      logger.error(text, { height: current.height, chunk: index, error: messageOf(error) })
      await abandon()
      return { result: isDisk ? abort : rejectSnapshot }
    }
  }

  return {
    offer: (request) => inOrder(() => offer(request)),
    apply: (request) => inOrder(() => apply(request)),
    close: () => inOrder(abandon),
  }
}
