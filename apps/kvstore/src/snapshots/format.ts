import { equalBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { bytes, field, type MessageSchema, message, repeated, safeUint64, string } from '@org/types/schema'

/**
 * The number of this format; others are refused. The content is every pair of the database by ascending key: the length
 * of the key and of the value as 4 bytes each, big-endian, then the key and the value. Chunks are pieces of the content;
 * a pair may begin in one chunk and end in another.
 */
export const SNAPSHOT_FORMAT = 2
/** The size of each chunk but the last. It is below the 4 MiB that gRPC clients accept by default. */
export const CHUNK_BYTES = 2 * 1024 * 1024
/**
 * The maximum number of chunks that nodes accept. The list of their hashes takes 3.4 MB, and peers send at most 4 MB in
 * a message.
 */
export const MAX_CHUNKS = 100_000
export const MAX_SNAPSHOT_BYTES = CHUNK_BYTES * MAX_CHUNKS
export const HASH_BYTES = 32

/** The metadata of a snapshot; its SHA-256 is the snapshot's hash. */
export interface Metadata {
  readonly rules: string
  /** The bytes of all chunks together. */
  readonly size: number
  /** The SHA-256 of each chunk. */
  readonly chunkHashes: readonly Uint8Array[]
}
export const Metadata: MessageSchema<Metadata> = message('halley.kvstore.Metadata', {
  rules: field(1, string),
  chunkHashes: repeated(2, bytes),
  size: field(3, safeUint64),
})

/** Reads the metadata; `undefined` if it is incomplete, inconsistent, or has another hash. */
export function decodeMetadata(metadata: Uint8Array, hash: Uint8Array): Metadata | undefined {
  if (!equalBytes(sha256(metadata), hash)) return undefined
  try {
    // The hashes are counted before they are decoded, because an empty hash takes two bytes on the wire, and much more
    // memory.
    const decoded = Metadata.decode(metadata, { maxItems: MAX_CHUNKS + 1 })
    const { chunkHashes, size } = decoded
    const isConsistent =
      chunkHashes.length > 0 &&
      chunkHashes.length <= MAX_CHUNKS &&
      chunkHashes.every((chunkHash) => chunkHash.length === HASH_BYTES) &&
      size >= chunkHashes.length
    return isConsistent ? decoded : undefined
  } catch {
    return undefined
  }
}

/** The SHA-256 of a chunk, computed outside of the event loop. */
export async function hashOfChunk(chunk: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', chunk as Uint8Array<ArrayBuffer>))
}
