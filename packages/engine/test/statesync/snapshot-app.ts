import type { Application } from '@org/abci'
import { ApplySnapshotChunkResult, OfferSnapshotResult, type Snapshot } from '@org/types/abci'
import { bytesToHex, bytesToUtf8, concatBytes, concatList, equalBytes, hexToBytes, utf8ToBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'

/** The number of heights between two snapshots, and the number of bytes of a chunk. */
const EVERY = 5
const CHUNK_BYTES = 32

interface Content {
  readonly height: number
  readonly hash: string
}

export interface SnapshotApp extends Application {
  readonly state: () => Content
  /** The heights of the snapshots that were offered to the application. */
  readonly offered: readonly number[]
}

/** An application that makes a snapshot at each fifth height. Its app hash depends on all heights. */
export function createSnapshotApp(more: Application = {}): SnapshotApp {
  let state: Content = { height: 0, hash: '' }
  let restoring:
    | { readonly snapshot: Snapshot; readonly appHash: Uint8Array; readonly chunks: Uint8Array[] }
    | undefined
  const taken = new Map<number, Uint8Array>()
  const offered: number[] = []
  const hash = (): Uint8Array => hexToBytes(state.hash) ?? new Uint8Array(0)

  function finish(parts: readonly Uint8Array[], appHash: Uint8Array): number {
    const content = JSON.parse(bytesToUtf8(concatList(parts))) as Content
    if (content.hash !== bytesToHex(appHash)) return ApplySnapshotChunkResult.rejectSnapshot
    state = content
    return ApplySnapshotChunkResult.accept
  }

  return {
    state: () => state,
    offered,
    info: () => ({ lastBlockHeight: state.height, lastBlockAppHash: hash() }),
    finalizeBlock: ({ height, txs }) => {
      state = { height, hash: bytesToHex(sha256(concatBytes(hash(), utf8ToBytes(String(height)), ...txs))) }
      if (height % EVERY === 0) taken.set(height, utf8ToBytes(JSON.stringify(state)))
      return { txResults: txs.map(() => ({})), appHash: hash() }
    },
    commit: () => ({}),
    listSnapshots: () => ({
      snapshots: [...taken].map(([height, bytes]) => ({
        ...{ height, format: 1, chunks: Math.ceil(bytes.length / CHUNK_BYTES), hash: sha256(bytes) },
        metadata: new Uint8Array(0),
      })),
    }),
    loadSnapshotChunk: ({ height, chunk }) => ({
      chunk: taken.get(height)?.slice(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES) ?? new Uint8Array(0),
    }),
    offerSnapshot: ({ snapshot, appHash }) => {
      if (snapshot === undefined || state.height > 0) return { result: OfferSnapshotResult.reject }
      offered.push(snapshot.height)
      restoring = { snapshot, appHash, chunks: [] }
      return { result: OfferSnapshotResult.accept }
    },
    applySnapshotChunk: ({ chunk, index, sender }) => {
      if (restoring === undefined) return { result: ApplySnapshotChunkResult.abort }
      const { snapshot, appHash, chunks } = restoring
      chunks[index] = chunk
      if (index < snapshot.chunks - 1) return { result: ApplySnapshotChunkResult.accept }
      if (!equalBytes(sha256(concatList(chunks)), snapshot.hash)) {
        restoring = { ...restoring, chunks: [] }
        const all = Array.from({ length: snapshot.chunks }, (_, at) => at)
        return { result: ApplySnapshotChunkResult.retrySnapshot, refetchChunks: all, rejectSenders: [sender] }
      }
      return { result: finish(chunks, appHash) as 1 }
    },
    ...more,
  }
}
