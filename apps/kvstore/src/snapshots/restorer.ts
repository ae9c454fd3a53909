import {
  ApplySnapshotChunkResult,
  OfferSnapshotResult,
  type RequestApplySnapshotChunk,
  type RequestOfferSnapshot,
  type ResponseApplySnapshotChunk,
} from '@org/types/abci'
import { equalBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { decodeMeta } from '../meta.ts'
import { isRulesName, mayOpen, type RulesName } from '../rules/index.ts'
import { appHashOf, decodeState, META_KEY, STATE_KEY } from '../state.ts'
import type { KeyValueStorage, StorageOp } from '../store/index.ts'
import { CHUNK_BYTES, decodeChunks, decodeMetadata, SNAPSHOT_FORMAT } from './format.ts'

export interface SnapshotRestorer {
  readonly offer: (request: RequestOfferSnapshot) => OfferSnapshotResult
  /** Replaces the whole state by `ops` when the last chunk has arrived and is valid. */
  readonly apply: (
    request: RequestApplySnapshotChunk,
  ) => Promise<{ readonly response: Partial<ResponseApplySnapshotChunk>; readonly ops?: readonly StorageOp[] }>
}

interface Offered {
  readonly height: number
  readonly appHash: Uint8Array
  readonly chunkHashes: readonly Uint8Array[]
  readonly chunks: (Uint8Array | undefined)[]
}

export function createSnapshotRestorer(
  options: { readonly maxBytes: number; readonly rules: RulesName },
  store: KeyValueStorage,
): SnapshotRestorer {
  // The content consists mostly of keys and values, with a few bytes around each.
  const maxChunks = Math.ceil((options.maxBytes * 2) / CHUNK_BYTES)
  let offered: Offered | undefined

  function rejectSnapshot(): { readonly response: Partial<ResponseApplySnapshotChunk> } {
    offered = undefined
    return { response: { result: ApplySnapshotChunkResult.rejectSnapshot } }
  }

  /** Returns the operations that write the offered state; `undefined` if the chunks give another state. */
  async function restore({ height, appHash, chunks }: Offered): Promise<readonly StorageOp[] | undefined> {
    const pairs = decodeChunks(chunks as Uint8Array[])
    const find = (wanted: Uint8Array) => pairs?.find(({ key }) => equalBytes(key, wanted))?.value
    const meta = find(META_KEY)
    if (pairs === undefined || meta === undefined || !mayOpen(decodeMeta(meta).rules, options.rules)) return undefined
    const state = decodeState(find(STATE_KEY))
    if (state.height !== height || !equalBytes(appHashOf(state), appHash)) return undefined
    const ops: StorageOp[] = []
    for await (const [key] of store.entries()) ops.push({ type: 'del', key })
    for (const pair of pairs) ops.push({ type: 'put', ...pair })
    return ops
  }

  return {
    offer: ({ snapshot, appHash }) => {
      offered = undefined
      if (snapshot === undefined) return OfferSnapshotResult.reject
      if (snapshot.format !== SNAPSHOT_FORMAT) return OfferSnapshotResult.rejectFormat
      if (snapshot.chunks < 1 || snapshot.chunks > maxChunks) return OfferSnapshotResult.reject
      const metadata = decodeMetadata(snapshot.metadata, snapshot.hash)
      const fits = metadata !== undefined && isRulesName(metadata.rules) && mayOpen(metadata.rules, options.rules)
      if (!fits || metadata.chunkHashes.length !== snapshot.chunks) {
        return OfferSnapshotResult.reject
      }
      const { height, chunks } = snapshot
      offered = {
        height,
        appHash: appHash.slice(),
        chunkHashes: metadata.chunkHashes.map((hash) => hash.slice()),
        chunks: Array.from({ length: chunks }, () => undefined),
      }
      return OfferSnapshotResult.accept
    },
    apply: async ({ index, chunk, sender }) => {
      const wanted = offered?.chunkHashes[index]
      if (offered === undefined || wanted === undefined) {
        return { response: { result: ApplySnapshotChunkResult.abort } }
      }
      if (!equalBytes(sha256(chunk), wanted)) {
        const rejectSenders = sender === '' ? [] : [sender]
        const response = { result: ApplySnapshotChunkResult.retry, refetchChunks: [index], rejectSenders }
        return { response }
      }
      offered.chunks[index] = chunk.slice()
      if (offered.chunks.includes(undefined)) return { response: { result: ApplySnapshotChunkResult.accept } }
      const ops = await restore(offered).catch(() => undefined)
      if (ops === undefined) return rejectSnapshot()
      offered = undefined
      return { response: { result: ApplySnapshotChunkResult.accept }, ops }
    },
  }
}
