import { equalBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { bytes, field, type MessageSchema, message, repeated, safeUint64, string } from '@org/types/schema'

/**
 * The number of this format of snapshots; snapshots of other formats are refused. The content of a snapshot is every
 * pair of the database, in ascending order of the keys. Each pair begins with the length of its key and the length of
 * its value, 4 bytes each, big-endian. Then follow the key and the value. Chunks are pieces of the content; a pair may
 * begin in one chunk and end in another.
 */
export const SNAPSHOT_FORMAT = 2
/** The number of bytes of each chunk except the last one. It is below the 4 MiB that gRPC clients accept by default. */
export const CHUNK_BYTES = 2 * 1024 * 1024
/**
 * The maximum number of chunks of a snapshot that nodes accept. With this number of chunks, the list of their hashes
 * takes 3.4 MB. Peers send at most 4 MB in a message.
 */
export const MAX_CHUNKS = 100_000
export const MAX_SNAPSHOT_BYTES = CHUNK_BYTES * MAX_CHUNKS
export const HASH_BYTES = 32

/** The metadata of a snapshot; its SHA-256 is the snapshot's hash. */
export interface Metadata {
  readonly rules: string
  /** The number of bytes of all chunks together. */
  readonly size: number
  /** The SHA-256 of each chunk. */
  readonly chunkHashes: readonly Uint8Array[]
}
export const Metadata: MessageSchema<Metadata> = message('halley.kvstore.Metadata', {
  rules: field(1, string),
  chunkHashes: repeated(2, bytes),
  size: field(3, safeUint64),
})

/**
 * Reads the metadata of a snapshot. Returns `undefined` if the metadata is incomplete or inconsistent, or if its
 * SHA-256 is not `hash`.
 */
export function decodeMetadata(metadata: Uint8Array, hash: Uint8Array): Metadata | undefined {
  if (!equalBytes(sha256(metadata), hash)) return undefined
  try {
    // An empty hash takes two bytes on the wire, and much more in memory. So decoding stops if there are too many
    // hashes of chunks.
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

/** Computes the SHA-256 of a chunk outside of the event loop. */
export async function hashOfChunk(chunk: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', chunk as Uint8Array<ArrayBuffer>))
}
