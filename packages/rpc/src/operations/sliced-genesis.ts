import { bytesToBase64 } from '@org/types/bytes'
import { gatherSlices, type SliceModules, slicesOf } from '../call/json-slices.ts'
import type { GenesisReader } from '../ports/index.ts'
import { genesisChunkResult } from './results.ts'

/** The number of characters from which a document is written in pieces. A shorter document is written at once. */
export const SLICED_FROM_LENGTH = 1024 * 1024

/**
 * The number of bytes that become base64 at once. It is a multiple of three, so that only the last piece of base64 has
 * padding.
 */
const GROUP_BYTES = 48 * 1024

/** The JSON of `genesis`. */
export function* slicedGenesis(text: string): Generator<string> {
  yield '{"genesis":'
  yield* slicesOf(text)
  yield '}'
}

/** The JSON of `genesis_chunked`. */
export function* slicedChunk(
  data: Uint8Array,
  place: { readonly chunk: number; readonly total: number },
): Generator<string> {
  const text = genesisChunkResult.stringify({ ...place, data: '' })
  const at = text.lastIndexOf('"')
  yield text.slice(0, at)
  for (let from = 0; from < data.length; from += GROUP_BYTES)
    yield bytesToBase64(data.subarray(from, from + GROUP_BYTES))
  yield text.slice(at)
}

/**
 * Returns a reader of the genesis document that also returns its UTF-8 bytes and their number. The bytes are made in
 * slices at the first call that needs them, and kept for later calls. The number is also computed only once.
 */
export function withGenesisBytes(genesis: GenesisReader, modules: SliceModules): GenesisReader {
  let bytes: Promise<Uint8Array> | undefined
  let length: number | undefined
  return {
    text: genesis.text,
    bytes:
      genesis.bytes ??
      (() => {
        bytes ??= gatherSlices(slicesOf(genesis.text()), modules)
        return bytes
      }),
    byteLength:
      genesis.byteLength ??
      (() => {
        length ??= Buffer.byteLength(genesis.text())
        return length
      }),
  }
}
