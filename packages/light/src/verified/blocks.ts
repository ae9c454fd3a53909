import {
  type Block,
  type BlockId,
  equalBlockIds,
  type Header,
  hashHeader,
  validateBlockBasic,
  verifyCommit,
} from '@org/types'
import { hashOf, type LightBlock } from '../block/light-block.ts'
import {
  type Answer,
  check,
  checkBytes,
  checkDistinct,
  checkNumber,
  hashOfArgs,
  heightOfAnswer,
  heightOfArgs,
  type PartlyVerified,
  type Unverified,
  unprovable,
  type Verified,
  type VerifiedModules,
  wrongAnswer,
} from './answer.ts'

/** A block. It is verified, except for the round of its last commit, which no hash covers. */
export type VerifiedBlock = Omit<Block, 'lastCommit'> & {
  readonly lastCommit?: PartlyVerified<NonNullable<Block['lastCommit']>, 'round'> | undefined
}

/** A block with its verified id. */
export interface VerifiedFound {
  readonly blockId: BlockId
  readonly block: VerifiedBlock | undefined
}

/** The calls about blocks whose answers are verified. */
export interface VerifiedBlocks {
  readonly block: Verified<'block', VerifiedFound>
  /**
   * Returns the block with a hash. Rejects with `LIGHT_UNPROVABLE` if the node does not have the block, because no
   * proof of its absence exists.
   */
  readonly blockByHash: Verified<'blockByHash', VerifiedFound>
  /** Returns the blocks that match a query. Each block is verified, but no proof shows that the list is complete. */
  readonly blockSearch: Verified<
    'blockSearch',
    { readonly blocks: readonly VerifiedFound[]; readonly totalCount: Unverified<number> }
  >
  readonly header: Verified<'header'>
  /**
   * Returns the header with a hash. Rejects with `LIGHT_UNPROVABLE` if the node does not have the header, because no
   * proof of its absence exists.
   */
  readonly headerByHash: Verified<'headerByHash'>
  /**
   * Returns the commit that the light client verified. The next block may contain other signatures of the same block.
   */
  readonly commit: Verified<'commit', PartlyVerified<NonNullable<Answer<'commit'>>, 'canonical'>>
}

/** Checks that a header in an answer is the header that the light client verified at the same height. */
export function checkHeader(method: string, header: Header, trusted: LightBlock): void {
  checkBytes(method, `hash of the header at height ${header.height}`, [hashHeader(header), hashOf(trusted)])
}

/**
 * Checks that a block belongs to the verified header. The header has the hashes of the block's transactions, evidence
 * and last commit. But the hash of the last commit covers only the signatures. So the height and the block id of the
 * last commit are compared with the header.
 */
export function checkBlock(method: string, block: Block, trusted: LightBlock): void {
  checkHeader(method, block.header, trusted)
  check(method, () => validateBlockBasic(block))
  const { header, lastCommit } = block
  if (lastCommit === undefined) throw wrongAnswer(method, 'the block has no last commit')
  const height = lastCommit.signatures.length === 0 ? 0 : header.height - 1
  if (lastCommit.height === height && equalBlockIds(lastCommit.blockId, header.lastBlockId)) return
  throw wrongAnswer(method, 'the last commit is for another block than the previous block')
}

/**
 * Checks all signatures of a commit. The light client checks only some of them: it stops when the checked signatures
 * have more than two thirds of the power.
 */
async function checkAllSignatures({ header, commit, validators }: LightBlock): Promise<void> {
  const { chainId, height } = header
  try {
    await verifyCommit({ chainId, validators, blockId: commit.blockId, height, commit })
  } catch (cause) {
    throw wrongAnswer('commit', (cause as Error).message, cause)
  }
}

/** The arguments of a call. `method` is the reference's name of the RPC method, which the errors contain. */
interface Asked {
  readonly method: string
  readonly height?: number | undefined
  readonly hash?: Uint8Array
  readonly signal: AbortSignal | undefined
}

interface Found {
  readonly blockId: BlockId
  readonly block: Block | undefined
}

async function verifyBlock({ headers }: VerifiedModules, asked: Asked, { blockId, block }: Found): Promise<void> {
  const { method, height, hash, signal } = asked
  if (block === undefined)
    throw unprovable(method, 'the node reports that no such block exists, and nothing proves that')
  const got = heightOfAnswer(method, block.header.height)
  checkNumber(method, 'height', [got, height])
  checkBytes(method, 'hash', [hashHeader(block.header), hash])
  const trusted = await headers.at(got, signal)
  checkBlock(method, block, trusted)
  if (!equalBlockIds(blockId, trusted.commit.blockId))
    throw wrongAnswer(method, 'the block id differs from the verified block id')
}

export function createVerifiedBlocks(modules: VerifiedModules): VerifiedBlocks {
  const { client, headers } = modules
  return {
    block: async (args = {}, options = {}) => {
      const answer = await client.block(args, options)
      const height = heightOfArgs(args.height)
      await verifyBlock(modules, { method: 'block', height, signal: options.signal }, answer)
      return answer
    },
    blockByHash: async (args = {}, options = {}) => {
      const hash = hashOfArgs('block_by_hash', args.hash)
      const answer = await client.blockByHash(args, options)
      await verifyBlock(modules, { method: 'block_by_hash', hash, signal: options.signal }, answer)
      return answer
    },
    blockSearch: async (args = {}, options = {}) => {
      const answer = await client.blockSearch(args, options)
      checkDistinct(
        'block_search',
        answer.blocks.map(({ blockId }) => blockId.hash),
      )
      for (const found of answer.blocks) {
        await verifyBlock(modules, { method: 'block_search', signal: options.signal }, found)
      }
      return answer
    },
    header: async (args = {}, { signal } = {}) => {
      const { header } = await headers.at(heightOfArgs(args.height), signal)
      return { header }
    },
    headerByHash: async (args = {}, options = {}) => {
      const hash = hashOfArgs('header_by_hash', args.hash)
      const { header } = await client.headerByHash(args, options)
      if (header === undefined)
        throw unprovable('header_by_hash', 'the node reports that no such header exists, and nothing proves that')
      checkBytes('header_by_hash', 'hash', [hashHeader(header), hash])
      const height = heightOfAnswer('header_by_hash', header.height)
      checkHeader('header_by_hash', header, await headers.at(height, options.signal))
      return { header }
    },
    commit: async (args = {}, { signal } = {}) => {
      const block = await headers.at(heightOfArgs(args.height), signal)
      const { header, commit } = block
      await checkAllSignatures(block)
      return { signedHeader: { header, commit }, canonical: true }
    },
  }
}
