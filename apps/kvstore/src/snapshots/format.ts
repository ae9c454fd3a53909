import { concatList, equalBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { bytes, field, type MessageSchema, message, repeated, string } from '@org/types/schema'

/** The number of this format; others are refused. */
export const SNAPSHOT_FORMAT = 1
export const CHUNK_BYTES = 1024 * 1024

interface Pair {
  readonly key: Uint8Array
  readonly value: Uint8Array
}
const Pair: MessageSchema<Pair> = message('halley.kvstore.Pair', { key: field(1, bytes), value: field(2, bytes) })

/** The content of a snapshot: every pair of the database, by ascending key. */
const Content: MessageSchema<{ readonly pairs: readonly Pair[] }> = message('halley.kvstore.Content', {
  pairs: repeated(1, Pair),
})

/** The metadata of a snapshot; its SHA-256 is the snapshot's hash. */
export interface Metadata {
  readonly rules: string
  /** The SHA-256 of each chunk. */
  readonly chunkHashes: readonly Uint8Array[]
}
const Metadata: MessageSchema<Metadata> = message('halley.kvstore.Metadata', {
  rules: field(1, string),
  chunkHashes: repeated(2, bytes),
})

export interface EncodedSnapshot {
  readonly chunks: readonly Uint8Array[]
  readonly metadata: Uint8Array
  readonly hash: Uint8Array
}

export function encodeSnapshot(rules: string, pairs: readonly Pair[]): EncodedSnapshot {
  const content = Content.encode({ pairs })
  const count = Math.max(1, Math.ceil(content.length / CHUNK_BYTES))
  const chunks = Array.from({ length: count }, (_, i) => content.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES))
  const metadata = Metadata.encode({ rules, chunkHashes: chunks.map(sha256) })
  return { chunks, metadata, hash: sha256(metadata) }
}

/** Reads the metadata; `undefined` if it is incomplete or has another hash. */
export function decodeMetadata(metadata: Uint8Array, hash: Uint8Array): Metadata | undefined {
  if (!equalBytes(sha256(metadata), hash)) return undefined
  try {
    return Metadata.decode(metadata)
  } catch {
    return undefined
  }
}

/** The pairs of a snapshot whose chunks were checked; `undefined` if the chunks are not a valid content. */
export function decodeChunks(chunks: readonly Uint8Array[]): readonly Pair[] | undefined {
  try {
    return Content.decode(concatList(chunks)).pairs
  } catch {
    return undefined
  }
}
