import { bytesToBase64, utf8ToBytes } from '@org/types/bytes'
import { isJsonObject, type Json, jsonError } from '@org/types/schema'
import { validatorByAddress } from '@org/types/validators'
import { ref } from '../call/json-schema.ts'
import { uint } from '../call/params.ts'
import { type CallContext, type ContextWith, defineRoute, type ResultType } from '../call/route.ts'
import { panic, refused } from '../errors.ts'
import type { ValidatorIdentity } from '../ports/index.ts'
import { latestUncommittedHeight } from './argument-rules.ts'
import {
  consensusStateResult,
  dumpConsensusStateResult,
  emptyResult,
  genesisChunkResult,
  netInfoResult,
  statusResult,
} from './results.ts'
import { SLICED_FROM_LENGTH, slicedChunk, slicedGenesis } from './sliced-genesis.ts'

/** The size of a chunk of the genesis document, in bytes. A document above this size is served only in chunks. */
const GENESIS_CHUNK_BYTES = 16 * 1024 * 1024

const NONE = new Uint8Array(0)

export const health = defineRoute({
  name: 'health',
  summary: 'Returns an empty result if the node runs.',
  category: 'Info',
  params: {},
  result: emptyResult,
  handler: () => ({}),
})

function votingPower(context: CallContext, { address }: ValidatorIdentity): bigint {
  const { state } = context.ports
  try {
    const height = latestUncommittedHeight(context)
    if (state.loadVotingPower !== undefined) return state.loadVotingPower(height, address)
    return validatorByAddress(state.loadValidators(height), address)?.validator.votingPower ?? 0n
  } catch {
    // The node has no validators of this height, for example because it has no chain yet. The power in the answer is
    // then 0.
    return 0n
  }
}

export const status = defineRoute({
  name: 'status',
  summary: 'Returns the identity of the node, the state of its chain, and its voting power.',
  category: 'Info',
  params: {},
  result: statusResult,
  needs: ['peers', 'consensus', 'validator'],
  immutableKey: (context) => {
    // The answer changes only if one of the values in this key changes.
    const { blocks, consensus, peers } = context.ports
    const app = peers.nodeInfo().protocolVersion.app
    return `${blocks.base()}-${blocks.height()}/${consensus.waitSync()}/${app}`
  },
  isOfNow: true,
  handler: (context) => {
    const { blocks } = context.ports
    const validator = context.ports.validator
    const latestHeight = blocks.height()
    const earliest = blocks.base() === 0 ? undefined : blocks.loadBlockMeta(blocks.base())
    const latest = latestHeight === 0 ? undefined : blocks.loadBlockMeta(latestHeight)
    return {
      nodeInfo: context.ports.peers.nodeInfo(),
      syncInfo: {
        latestBlockHash: latest?.blockId.hash ?? NONE,
        latestAppHash: latest?.header.appHash ?? NONE,
        latestBlockHeight: latestHeight,
        latestBlockTime: latest?.header.time ?? 0n,
        earliestBlockHash: earliest?.blockId.hash ?? NONE,
        earliestAppHash: earliest?.header.appHash ?? NONE,
        earliestBlockHeight: earliest?.header.height ?? 0,
        earliestBlockTime: earliest?.header.time ?? 0n,
        catchingUp: context.ports.consensus.waitSync(),
      },
      validatorInfo: {
        address: validator.address,
        pubKey: validator.publicKey,
        votingPower: votingPower(context, validator),
      },
    }
  },
})

export const netInfo = defineRoute({
  name: 'net_info',
  summary: 'Peers, and the addresses on which the node accepts peers.',
  category: 'Info',
  params: {},
  result: netInfoResult,
  needs: ['peers'],
  handler: ({ ports }) => {
    const port = ports.peers
    const peers = port.peers()
    return { listening: port.isListening(), listeners: port.listeners(), nPeers: peers.length, peers }
  },
})

/**
 * The result of `genesis`. `stringify` puts the JSON text of the document into the answer without a change. `parse`
 * returns the document as a JSON text.
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
function placeOf(length: number, chunk: bigint, strict: boolean) {
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
      const { at, ...place } = placeOf(document.length, chunk, context.options.strict)
      return slicedChunk(document.subarray(at, at + GENESIS_CHUNK_BYTES), place)
    })
  },
  handler: (context, { chunk }) => {
    const document = utf8ToBytes(textOf(context))
    const { at, ...place } = placeOf(document.length, chunk, context.options.strict)
    return { ...place, data: bytesToBase64(document.subarray(at, at + GENESIS_CHUNK_BYTES)) }
  },
})

export const consensusState = defineRoute({
  name: 'consensus_state',
  summary: 'The state of consensus, in a short form.',
  category: 'Info',
  params: {},
  result: consensusStateResult,
  needs: ['consensus'],
  handler: ({ ports }) => ({ roundState: ports.consensus.roundStateSimple() }),
})

export const dumpConsensusState = defineRoute({
  name: 'dump_consensus_state',
  summary: 'The state of consensus, of this node and of each peer.',
  category: 'Info',
  params: {},
  result: dumpConsensusStateResult,
  needs: ['consensus'],
  handler: ({ ports }) => {
    const consensus = ports.consensus
    return { roundState: consensus.roundState(), peers: consensus.peerStates() }
  },
})
