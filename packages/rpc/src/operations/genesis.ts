import { bytesToBase64, utf8ToBytes } from '@org/types/bytes'
import { isJsonObject, type Json, jsonError } from '@org/types/schema'
import { ref } from '../call/json-schema.ts'
import { uint } from '../call/params.ts'
import { type ContextWith, defineRoute, type ResultType } from '../call/route.ts'
import { panic, refused } from '../errors.ts'
import { genesisChunkResult } from './results.ts'
import { SLICED_FROM_LENGTH, slicedChunk, slicedGenesis } from './sliced-genesis.ts'

/** The size of a chunk of the genesis document, in bytes. A document above this size is served only in chunks. */
const GENESIS_CHUNK_BYTES = 16 * 1024 * 1024

/**
 * The result of the operation `genesis`: the genesis document as a JSON text. `stringify` writes the result into an
 * answer, and does not change the text of the document. `parse` reads the result of an answer, and returns the document
 * as a JSON text.
 */
const genesisResult: ResultType<{ readonly genesis: string }> = {
  stringify: ({ genesis: text }) => `{"genesis":${text}}`,
  parse: (json) => {
    const document = isJsonObject(json as Json) ? (json as { readonly genesis?: Json }).genesis : undefined
    if (!isJsonObject(document)) throw jsonError('genesis', 'an object')
    return { genesis: JSON.stringify(document) }
  },
  schema: {
    type: 'object',
    required: ['genesis'],
    properties: { genesis: ref('GenesisDoc') },
  },
}

/**
 * Returns whether the genesis document fits into one chunk. A character of the text has at most three bytes, so for a
 * small document the bytes are not counted.
 */
function fitsOneChunk(text: string, { ports: { genesis: reader } }: ContextWith<'genesis'>): boolean {
  if (text.length * 3 <= GENESIS_CHUNK_BYTES) return true
  return (reader.byteLength?.() ?? Buffer.byteLength(text)) <= GENESIS_CHUNK_BYTES
}

const textOf = ({ ports }: ContextWith<'genesis'>): string => ports.genesis.text()

/**
 * Returns the number of the chunk, the number of all chunks, and the position of the chunk's first byte. Throws for a
 * chunk that does not exist.
 */
function chunkLocation(length: number, chunk: bigint, strict: boolean) {
  const total = Math.ceil(length / GENESIS_CHUNK_BYTES)
  // Go converts a large uint to a negative int, which passes the reference's check. The reference then crashes.
  if (strict && chunk >= 2n ** 63n) throw panic(`runtime error: index out of range [${BigInt.asIntN(64, chunk)}]`)
  if (chunk >= BigInt(total)) throw refused(`there are ${total - 1} chunks, ${chunk} is invalid`)
  return { chunk: Number(chunk), total, at: Number(chunk) * GENESIS_CHUNK_BYTES }
}

export const genesis = defineRoute({
  name: 'genesis',
  summary: 'The genesis document, if it is not too large for one answer.',
  category: 'Info',
  params: {},
  result: genesisResult,
  needs: ['genesis'],
  cache: 'always',
  immutableKey: () => '',
  slices: (context) => {
    const text = textOf(context)
    if (text.length < SLICED_FROM_LENGTH || !fitsOneChunk(text, context)) return undefined
    return Promise.resolve(slicedGenesis(text))
  },
  handler: (context) => {
    const text = textOf(context)
    if (!fitsOneChunk(text, context))
      throw refused('genesis response is large, please use the genesis_chunked API instead')
    return { genesis: text }
  },
})

export const genesisChunked = defineRoute({
  name: 'genesis_chunked',
  summary: 'A chunk of the genesis document, in base64; each chunk has at most 16 MB.',
  category: 'Info',
  params: { chunk: uint },
  result: genesisChunkResult,
  needs: ['genesis'],
  cache: 'always',
  immutableKey: (_context, { chunk }) => String(chunk),
  slices: (context, { chunk }) => {
    const { bytes } = context.ports.genesis
    if (bytes === undefined || textOf(context).length < SLICED_FROM_LENGTH) return undefined
    return bytes().then((document) => {
      const { at, ...location } = chunkLocation(document.length, chunk, context.options.strict)
      return slicedChunk(document.subarray(at, at + GENESIS_CHUNK_BYTES), location)
    })
  },
  handler: (context, { chunk }) => {
    const document = utf8ToBytes(textOf(context))
    const { at, ...location } = chunkLocation(document.length, chunk, context.options.strict)
    return { ...location, data: bytesToBase64(document.subarray(at, at + GENESIS_CHUNK_BYTES)) }
  },
})
