import type { Application } from '@org/abci'
import { nextTurn } from '@org/runtime'
import { isCodedError } from '@org/runtime/errors'
import { ApplySnapshotChunkResult, OfferSnapshotResult } from '@org/types/abci'
import { equalBytes } from '@org/types/bytes'
import { APP_ERRORS, AppError } from '../errors.ts'
import type { Storage } from '../storage/port.ts'
import type { NewNode, Versions } from '../tree/index.ts'
import { type Builder, createBuilder, decodeMetadata, SNAPSHOT_FORMAT } from './format.ts'
import { isChunkRight } from './taker.ts'

/** The methods with which a node restores a snapshot that its peers send. */
export interface Restorer {
  readonly offer: NonNullable<Application['offerSnapshot']>
  readonly apply: NonNullable<Application['applySnapshotChunk']>
}

/** A snapshot that is being restored. */
interface Restore {
  readonly height: number
  readonly appHash: Uint8Array
  readonly chunkHashes: readonly Uint8Array[]
  readonly builder: Builder
  /** The index of the chunk that must come next. */
  next: number
  /**
   * The estimated memory of the restored tree nodes in bytes, for a storage that keeps its data in memory. If the
   * estimate exceeds the `maxSnapshotBytes` of the storage, the restoration ends. A storage on disk has no
   * `maxSnapshotBytes`.
   */
  bytes: number
}

interface RestorerModules {
  readonly storage: Storage
  readonly versions: Versions
  readonly onError: (error: unknown, where: string) => void
}

/** The approximate number of bytes of memory that a node of the tree takes in addition to its encoded bytes. */
const NODE_BYTES = 256

const sizeInMemory = (nodes: readonly NewNode[]): number =>
  nodes.reduce((sum, { bytes }) => sum + bytes.length + NODE_BYTES, 0)

const { accept, reject, rejectFormat, abort } = OfferSnapshotResult

/**
 * Creates the restorer of snapshots. The application's state must be empty. The node offers a snapshot together with an
 * app hash, which the node takes from a verified header. The restored tree must have this app hash.
 */
export function createRestorer({ storage, versions, onError }: RestorerModules): Restorer {
  const { maxSnapshotBytes: maxBytes = Number.POSITIVE_INFINITY } = storage
  let restore: Restore | undefined

  async function giveUp() {
    restore = undefined
    await storage.clear()
    return { result: ApplySnapshotChunkResult.rejectSnapshot }
  }

  function tooLarge({ height }: Restore) {
    const message = `the snapshot takes more than ${maxBytes} bytes of memory: give the application a storage on disk, openLevelStorage of @org/app/level`
    onError(new AppError(APP_ERRORS.snapshot, message), `the snapshot of height ${height}`)
    return giveUp()
  }

  async function addChunk(current: Restore, chunk: Uint8Array) {
    for (const nodes of current.builder.add(chunk)) {
      current.bytes += sizeInMemory(nodes)
      if (current.bytes > maxBytes) return tooLarge(current)
      await versions.addNodes(nodes)
      await nextTurn()
    }
    current.next++
    if (current.next < current.chunkHashes.length) return { result: ApplySnapshotChunkResult.accept }
    if (!equalBytes(current.builder.root(), current.appHash)) return giveUp()
    await versions.restore(current.height, current.appHash)
    restore = undefined
    return { result: ApplySnapshotChunkResult.accept }
  }

  return {
    offer: async ({ snapshot, appHash }) => {
      // A state that has executed a block is never replaced by a snapshot.
      if (versions.last().version > 0) return { result: abort }
      if (snapshot === undefined) return { result: reject }
      if (snapshot.format !== SNAPSHOT_FORMAT) return { result: rejectFormat }
      const metadata = decodeMetadata(snapshot.metadata, snapshot.hash)
      const isRight = metadata !== undefined && metadata.chunkHashes.length === snapshot.chunks && snapshot.height > 0
      if (!isRight) return { result: reject }
      await storage.clear()
      const { chunkHashes } = metadata
      restore = {
        height: snapshot.height,
        appHash,
        chunkHashes,
        builder: createBuilder(snapshot.height),
        next: 0,
        bytes: 0,
      }
      return { result: accept }
    },
    apply: async ({ index, chunk, sender }) => {
      const hash = restore?.chunkHashes[restore.next]
      if (restore === undefined || hash === undefined) return { result: ApplySnapshotChunkResult.abort }
      if (index !== restore.next) {
        return { result: ApplySnapshotChunkResult.retry, refetchChunks: [restore.next] }
      }
      if (!isChunkRight(chunk, hash)) {
        return { result: ApplySnapshotChunkResult.retry, refetchChunks: [index], rejectSenders: [sender] }
      }
      try {
        return await addChunk(restore, chunk)
      } catch (error) {
        // The chunk has the hash that the metadata names, but its content is damaged. So the snapshot itself is
        // damaged.
        if (isCodedError(error, APP_ERRORS.snapshot)) return giveUp()
        throw error
      }
    },
  }
}
