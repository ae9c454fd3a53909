import { ZERO_BLOCK_ID } from '../block-id/block-id.ts'
import { BLOCK_ERRORS, BlockError, wrapBlockError } from '../block-id/errors.ts'
import type { BlockId } from '../block-id/id.ts'
import { bytesToHex, equalBytes } from '../bytes/index.ts'
import type { Commit } from '../commit/commit.ts'
import { hashCommit } from '../commit/commit-votes.ts'
import { validateCommitBasic } from '../commit/validate-commit.ts'
import { hashEvidence } from '../evidence/hash.ts'
import { validateEvidenceBasic } from '../evidence/validate.ts'
import type { Evidence } from '../evidence/wire.ts'
import { hashHeader } from '../header/hash-header.ts'
import type { Header } from '../header/header.ts'
import { validateHeaderBasic } from '../header/validate-header.ts'
import { BLOCK_PART_SIZE_BYTES, makePartSet, type PartSet } from '../parts/part-set.ts'
import { ZERO_TIME } from '../time/index.ts'
import { BLOCK_PROTOCOL } from '../version/versions.ts'
import { hashData } from './data.ts'
import { Block } from './wire.ts'

/**
 * Returns the block's hash, which is the hash of its header. Returns empty bytes if the block has no last commit,
 * because such a block is incomplete.
 */
export function hashBlock(block: Block): Uint8Array {
  return block.lastCommit === undefined ? new Uint8Array(0) : hashHeader(block.header)
}

/** True if the block has this hash. An empty hash gives false. */
export function blockHashesTo(block: Block, hash: Uint8Array): boolean {
  return hash.length > 0 && equalBytes(hashBlock(block), hash)
}

/**
 * The input of {@link makeBlock}: the content of a new block, and the header fields that do not follow from this
 * content.
 */
export interface BlockContent {
  readonly height: number
  readonly txs: readonly Uint8Array[]
  readonly lastCommit: Commit
  readonly evidence: readonly Evidence[]
  /** The header fields that come from the state, such as chain id, time, last block id and hashes of validators. */
  readonly header?: Partial<Omit<Header, 'height' | 'lastCommitHash' | 'dataHash' | 'evidenceHash'>>
}

/** Makes a block. Computes the hashes of the commit, the transactions and the evidence for the header. */
export function makeBlock({ height, txs, lastCommit, evidence, header = {} }: BlockContent): Block {
  const none = new Uint8Array(0)
  return {
    header: {
      version: { block: BLOCK_PROTOCOL, app: 0n },
      chainId: '',
      time: ZERO_TIME,
      lastBlockId: ZERO_BLOCK_ID,
      validatorsHash: none,
      nextValidatorsHash: none,
      consensusHash: none,
      appHash: none,
      lastResultsHash: none,
      proposerAddress: none,
      ...header,
      height,
      lastCommitHash: hashCommit(lastCommit),
      dataHash: hashData(txs),
      evidenceHash: hashEvidence(evidence),
    },
    data: { txs },
    evidence: { evidence },
    lastCommit,
  }
}

/**
 * Cuts a block into parts. Returns the parts, and the block id, which has the hash of the block and the header of its
 * part set.
 */
export function makeBlockParts(block: Block): { readonly parts: PartSet; readonly blockId: BlockId } {
  const parts = makePartSet(Block.encode(block))
  return { parts, blockId: { hash: hashBlock(block), partSetHeader: parts.header } }
}

/** True if `parts` is the complete part set that `makeBlockParts` makes of the block. */
export function isEncodingOf(block: Block, parts: PartSet): boolean {
  const isSplitSo = parts.parts.slice(0, -1).every((part) => part?.bytes.length === BLOCK_PART_SIZE_BYTES)
  return isSplitSo && equalBytes(parts.bytes, Block.encode(block))
}

function checkHash(name: string, expected: Uint8Array, got: Uint8Array): void {
  if (equalBytes(expected, got)) return
  const message = `wrong Header.${name}. Expected ${bytesToHex(expected)}, got ${bytesToHex(got)}`
  throw new BlockError(BLOCK_ERRORS.hashMismatch, message, { data: { name } })
}

/**
 * The maximum number of transactions that are hashed without a pause. If a block has more transactions, they are not
 * hashed directly after the block is decoded, but later, in several turns of the event loop.
 */
export const MAX_HASHED_AT_ONCE = 10_000

/**
 * Checks a block without the state of the chain. Throws {@link BlockError} if the block is invalid. Signatures are not
 * verified.
 */
export function validateBlockBasic(block: Block): void {
  validate(block, true)
}

/**
 * Does the same as {@link validateBlockBasic}, but does not check the hash of the transactions. That check takes long
 * for a block with many transactions.
 */
export function validateBlockForm(block: Block): void {
  validate(block, false)
}

function validate({ header, lastCommit, data, evidence: { evidence } }: Block, withData: boolean): void {
  wrapBlockError(BLOCK_ERRORS.header, 'invalid header', () => validateHeaderBasic(header))
  if (lastCommit === undefined) throw new BlockError(BLOCK_ERRORS.commit, 'nil LastCommit')
  wrapBlockError(BLOCK_ERRORS.commit, 'wrong LastCommit', () => validateCommitBasic(lastCommit))
  checkHash('LastCommitHash', hashCommit(lastCommit), header.lastCommitHash)
  if (withData) checkHash('DataHash', hashData(data.txs), header.dataHash)
  for (const [index, item] of evidence.entries()) {
    wrapBlockError(BLOCK_ERRORS.evidence, `invalid evidence (#${index})`, () => validateEvidenceBasic(item))
  }
  // As in the reference, the wanted value and the given value are swapped in this text.
  checkHash('EvidenceHash', header.evidenceHash, hashEvidence(evidence))
}
