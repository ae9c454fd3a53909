import { type BlockMeta, ZERO_BLOCK_ID } from '@org/types'
import { bytes, height, hexBytes, int64 } from '../call/params.ts'
import { type CallContext, defineRoute } from '../call/route.ts'
import { refused } from '../errors.ts'
import { lastKnown, resolveHeight } from './argument-rules.ts'
import {
  blockchainResult,
  blockResult,
  blockResultsResult,
  commitResult,
  headerResult,
  type ResultBlock,
} from './results.ts'
import { isLargeBlock, piecesOfBlock } from './sliced-block.ts'
import { slicedBlockResults } from './sliced-block-results.ts'

/** The maximum number of headers in one answer of `blockchain`. */
const MAX_HEADERS = 20n

const committed = (context: CallContext, asked: bigint | undefined): number =>
  resolveHeight(context, context.ports.blocks.height(), asked)

const byHeight = (context: CallContext, args: { readonly height: bigint | undefined }): string =>
  String(committed(context, args.height))

/**
 * Returns, in pieces, the JSON of a large block, for `block` and for an item of `block_search`; `undefined` for a small
 * block.
 */
export function blockPieces({ blockId, block }: ResultBlock): Iterable<string> | undefined {
  if (block === undefined || !isLargeBlock(block)) return undefined
  return piecesOfBlock(block, '"data":{"txs":[]', (one) => blockResult.stringify({ blockId, block: one }))
}

interface Range {
  readonly min: bigint
  readonly max: bigint
}

function resolveRange({ ports }: CallContext, minHeight: bigint, maxHeight: bigint): Range {
  const height = BigInt(ports.blocks.height())
  const base = BigInt(ports.blocks.base())
  if (minHeight < 0n || maxHeight < 0n) throw refused('heights must be non-negative')
  const max = maxHeight === 0n || maxHeight > height ? height : maxHeight
  let min = minHeight === 0n ? 1n : minHeight
  if (min < base) min = base
  if (min < max - MAX_HEADERS + 1n) min = max - MAX_HEADERS + 1n
  if (min > max) throw refused(`min height ${min} can't be greater than max height ${max}`)
  return { min, max }
}

export const blockchain = defineRoute({
  name: 'blockchain',
  summary: 'Returns the headers of a range of blocks, at most 20, the highest first.',
  category: 'Info',
  params: { minHeight: int64, maxHeight: int64 },
  result: blockchainResult,
  cache: 'always',
  immutableKey: (context, { minHeight, maxHeight }) => {
    const { min, max } = resolveRange(context, minHeight, maxHeight)
    return `${min}-${max}/${context.ports.blocks.height()}`
  },
  handler: (context, { minHeight, maxHeight }) => {
    const { blocks } = context.ports
    const { min, max } = resolveRange(context, minHeight, maxHeight)
    const blockMetas: (BlockMeta | undefined)[] = []
    for (let at = Number(max); at >= Number(min); at--) blockMetas.push(blocks.loadBlockMeta(at))
    return { lastHeight: blocks.height(), blockMetas }
  },
})

export const header = defineRoute({
  name: 'header',
  summary: 'The header of a block.',
  category: 'Info',
  params: { height },
  result: headerResult,
  cache: 'height',
  immutableKey: byHeight,
  handler: (context, args) => ({
    header: context.ports.blocks.loadBlockMeta(committed(context, args.height))?.header,
  }),
})

export const headerByHash = defineRoute({
  name: 'header_by_hash',
  summary: 'The header of the block with this hash; null if no block has this hash.',
  category: 'Info',
  params: { hash: hexBytes },
  required: ['hash'],
  result: headerResult,
  cache: 'always',
  handler: ({ ports }, { hash }) => ({ header: ports.blocks.loadBlockMetaByHash(hash)?.header }),
})

export const block = defineRoute({
  name: 'block',
  summary: 'A block.',
  category: 'Info',
  params: { height },
  result: blockResult,
  cache: 'height',
  immutableKey: byHeight,
  pieces: blockPieces,
  handler: (context, args): ResultBlock => {
    const { blocks } = context.ports
    const at = committed(context, args.height)
    return { blockId: blocks.loadBlockMeta(at)?.blockId ?? ZERO_BLOCK_ID, block: blocks.loadBlock(at) }
  },
})

export const blockByHash = defineRoute({
  name: 'block_by_hash',
  summary: 'The block with this hash. If no block has this hash, the block is null, and its ID consists of zeros.',
  category: 'Info',
  params: { hash: bytes },
  required: ['hash'],
  result: blockResult,
  cache: 'always',
  pieces: blockPieces,
  handler: ({ ports }, { hash }): ResultBlock => {
    const found = ports.blocks.loadBlockByHash(hash)
    const meta = found === undefined ? undefined : ports.blocks.loadBlockMeta(found.header.height)
    return { blockId: meta?.blockId ?? ZERO_BLOCK_ID, block: found }
  },
})

export const commit = defineRoute({
  name: 'commit',
  summary: 'The header of a block and the commit that decided it.',
  category: 'Info',
  params: { height },
  result: commitResult,
  cache: 'height',
  immutableKey: (context, args) => {
    const at = committed(context, args.height)
    return at < context.ports.blocks.height() ? String(at) : undefined
  },
  handler: (context, args) => {
    const { blocks } = context.ports
    const at = committed(context, args.height)
    const found = blocks.loadBlockMeta(at)
    if (found === undefined) return undefined
    // The commit in the next block is the canonical one. For the last block, the commit that this node saw is used.
    const canonical = at !== blocks.height()
    const seen = canonical ? blocks.loadBlockCommit(at) : blocks.loadSeenCommit(at)
    return { signedHeader: { header: found.header, commit: seen }, canonical }
  },
})

/**
 * Returns the height that a call is about. Without an argument, this is the last executed height, because the last
 * stored block may not be executed yet.
 */
function executed(context: CallContext, asked: bigint | undefined): number {
  const at = committed(context, asked)
  const { hasFinalizeBlockResponse: isKnown } = context.ports.state
  return asked === undefined && isKnown !== undefined ? lastKnown(at, isKnown) : at
}

export const blockResults = defineRoute({
  name: 'block_results',
  summary: 'Results and events of the transactions of a block, and updates of validators and parameters.',
  category: 'Info',
  params: { height },
  result: blockResultsResult,
  cache: 'height',
  immutableKey: (context, args) => String(executed(context, args.height)),
  slices: (context, args) => {
    const at = executed(context, args.height)
    const bytes = context.ports.state.loadFinalizeBlockBytes?.(at)
    const pieces = bytes === undefined ? undefined : slicedBlockResults(bytes, at)
    return pieces === undefined ? undefined : Promise.resolve(pieces)
  },
  handler: (context, args) => {
    const at = executed(context, args.height)
    const response = context.ports.state.loadFinalizeBlockResponse(at)
    return {
      height: at,
      txsResults: response.txResults,
      finalizeBlockEvents: response.events,
      validatorUpdates: response.validatorUpdates,
      consensusParamUpdates: response.consensusParamUpdates,
      appHash: response.appHash,
    }
  },
})
