import { hashOfChunk, MAX_CHUNKS } from './format.ts'
import { encodePairHead, HEAD_BYTES } from './pair-head.ts'

/** Cuts the content of a snapshot into chunks. Only one chunk is in memory at a time. */
export interface ChunkWriter {
  /** Returns true if the snapshot stays within its maximum size when this pair is added. */
  readonly hasRoomFor: (key: Uint8Array, value: Uint8Array) => boolean
  readonly add: (key: Uint8Array, value: Uint8Array) => Promise<void>
  /** The number of chunks that have been written. */
  readonly written: () => number
  /** Writes the last chunk. Resolves with the size of the content and the hashes of all chunks. */
  readonly end: () => Promise<{ readonly size: number; readonly chunkHashes: readonly Uint8Array[] }>
}

/** `write` stores a chunk. When its promise has settled, the writer uses the same buffer for the next chunk. */
export function createChunkWriter(
  options: { readonly chunkBytes: number; readonly maxBytes: number },
  write: (chunk: Uint8Array) => Promise<void>,
): ChunkWriter {
  const { chunkBytes } = options
  const maxBytes = Math.min(options.maxBytes, chunkBytes * MAX_CHUNKS)
  const chunk = new Uint8Array(chunkBytes)
  const chunkHashes: Uint8Array[] = []
  let used = 0
  let size = 0

  async function flush(): Promise<void> {
    const full = chunk.subarray(0, used)
    chunkHashes.push(await hashOfChunk(full))
    await write(full)
    used = 0
  }

  async function append(bytes: Uint8Array): Promise<void> {
    for (let rest = bytes; rest.length > 0; ) {
      if (used === chunkBytes) await flush()
      const piece = rest.subarray(0, chunkBytes - used)
      chunk.set(piece, used)
      used += piece.length
      rest = rest.subarray(piece.length)
    }
    size += bytes.length
  }

  return {
    hasRoomFor: (key, value) => size + HEAD_BYTES + key.length + value.length <= maxBytes,
    add: async (key, value) => {
      await append(encodePairHead(key, value))
      await append(key)
      await append(value)
    },
    written: () => chunkHashes.length,
    end: async () => {
      await flush()
      return { size, chunkHashes }
    },
  }
}
