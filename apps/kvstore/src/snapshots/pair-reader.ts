import { concatList } from '@org/types/bytes'
import { badSnapshot } from '../errors.ts'
import { decodePairHead, HEAD_BYTES } from './pair-head.ts'

/**
 * The maximum number of bytes of a pair: twice the largest block, because one transaction may be both key and value.
 */
const MAX_PAIR_BYTES = 2 * 100 * 1024 * 1024 + 1024

export interface Pair {
  readonly key: Uint8Array
  readonly value: Uint8Array
}

/** Reads the pairs of a snapshot from its chunks, which must come in their order. */
export interface PairReader {
  /**
   * Adds a chunk and returns the pairs that end in this chunk. The caller must take all these pairs before it adds the
   * next chunk. Throws `KVSTORE_BAD_SNAPSHOT` for a pair above the size limit.
   */
  readonly push: (chunk: Uint8Array) => Iterable<Pair>
  /** Returns true if each pair that began in the chunks up to now has also ended. */
  readonly isComplete: () => boolean
}

/** `maxPairBytes` is the maximum number of bytes of the key and the value of a pair together. */
export function createPairReader(maxPairBytes = MAX_PAIR_BYTES): PairReader {
  /** The received bytes that are not decoded yet, in their order. */
  let pieces: Uint8Array[] = []
  let available = 0
  /** The lengths of the key and the value of the pair that has begun and has not ended. */
  let head: ReturnType<typeof decodePairHead> | undefined

  /** Removes the next `length` bytes from `pieces`, and returns them. Copies bytes only if there are several pieces. */
  function take(length: number): Uint8Array {
    const first = pieces.length === 1 ? (pieces[0] as Uint8Array) : concatList(pieces)
    pieces = [first.subarray(length)]
    available -= length
    return first.subarray(0, length)
  }

  function readHead(): ReturnType<typeof decodePairHead> | undefined {
    if (available < HEAD_BYTES) return undefined
    const read = decodePairHead(take(HEAD_BYTES))
    const bytes = read.keyBytes + read.valueBytes
    if (bytes > maxPairBytes) throw badSnapshot(`a pair of ${bytes} bytes is above the limit of ${maxPairBytes}`)
    return read
  }

  function* pairs(): Generator<Pair> {
    for (;;) {
      head ??= readHead()
      if (head === undefined || available < head.keyBytes + head.valueBytes) break
      const { keyBytes, valueBytes } = head
      const bytes = take(keyBytes + valueBytes)
      head = undefined
      yield { key: bytes.subarray(0, keyBytes), value: bytes.subarray(keyBytes) }
    }
    // The bytes after the last complete pair are copied, because the chunk may be a view of a large network buffer.
    if (pieces.length > 0) pieces.push((pieces.pop() as Uint8Array).slice())
  }

  return {
    push: (chunk) => {
      if (available === 0) pieces = []
      pieces.push(chunk)
      available += chunk.length
      return pairs()
    },
    isComplete: () => available === 0 && head === undefined,
  }
}
