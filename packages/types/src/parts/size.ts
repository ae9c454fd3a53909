import { BLOCK_ERRORS, BlockError } from '../block-id/errors.ts'
import { fieldSize } from '../schema/index.ts'

/** The maximum value of the parameter `block.max_bytes`: 100 MB. */
export const MAX_BLOCK_SIZE_BYTES = 104857600
/**
 * The maximum number of items of a block that a node proposes. A node prevotes for a block with more items only after
 * validators with +2/3 of the power have prevoted for this block. Items are transactions, signatures and nested
 * messages (see `DecodeLimits`). By measurement, an item takes about 250 bytes of heap and 5 microseconds until it is
 * hashed.
 */
export const MAX_PROPOSED_ITEMS = 250_000
/** The maximum number of bytes of a header, with hashes of 32 bytes. */
export const MAX_HEADER_BYTES = 626
/** The number of bytes of a block's own framing, without header, commit and evidence. */
export const MAX_OVERHEAD_FOR_BLOCK = 11
/** The maximum number of bytes of a commit's block id, height and round. */
export const MAX_COMMIT_OVERHEAD_BYTES = 94
/** The maximum number of bytes of a commit signature: its signature, address, flag and timestamp. */
export const MAX_COMMIT_SIG_BYTES = 109

/** Returns the maximum number of bytes of a commit by this number of validators. */
export function maxCommitBytes(validators: number): number {
  // Each commit signature also has a tag and a length prefix of one byte each.
  return MAX_COMMIT_OVERHEAD_BYTES + (MAX_COMMIT_SIG_BYTES + 2) * validators
}

/**
 * The limits from which the size of a block's transactions and evidence follows: the maximum size of a block in bytes,
 * and the number of validators that sign its last commit.
 */
export interface BlockBudget {
  readonly maxBytes: bigint
  readonly validators: number
}

function remaining({ maxBytes, validators }: BlockBudget, evidenceBytes: number, name: string): bigint {
  const taken = BigInt(MAX_OVERHEAD_FOR_BLOCK + MAX_HEADER_BYTES + maxCommitBytes(validators) + evidenceBytes)
  const rest = maxBytes - taken
  if (rest < 0n) {
    const message = `Negative ${name}. Block.MaxBytes=${maxBytes} is too small to accommodate header&lastCommit&evidence=${taken}`
    throw new BlockError(BLOCK_ERRORS.maxBytes, message, { data: { maxBytes: maxBytes.toString() } })
  }
  return rest
}

/**
 * Returns the number of bytes that are left for transactions in a block with `evidenceBytes` bytes of evidence.
 * Throws {@link BlockError} if the result would be negative.
 */
export function maxDataBytes(budget: BlockBudget, evidenceBytes: number): bigint {
  return remaining(budget, evidenceBytes, 'MaxDataBytes')
}

/**
 * Returns the number of bytes that are left for transactions in a block without evidence. Throws {@link BlockError}
 * if the result would be negative.
 */
export function maxDataBytesNoEvidence(budget: BlockBudget): bigint {
  return remaining(budget, 0, 'MaxDataBytesNoEvidence')
}

/** Returns the number of bytes of one transaction inside a block's data, with its tag and its length. */
export function txProtoSize(tx: Uint8Array): number {
  return fieldSize(tx.length)
}

/** Returns the number of bytes of a block's data with these transactions. */
export function txsProtoSize(txs: readonly Uint8Array[]): number {
  return txs.reduce((size, tx) => size + txProtoSize(tx), 0)
}

/**
 * The number of items that one commit signature counts as. An item is an element of a list, or a nested message (see
 * `DecodeLimits`). A commit signature is both.
 */
const ITEMS_OF_SIGNATURE = 2
/**
 * An upper limit for the number of items of a block, without the items of its transactions, signatures and evidence.
 */
const ITEMS_OF_FRAMING = 100
/**
 * The minimum number of bytes that one item takes inside the evidence of honest nodes. So the size of the evidence
 * gives an upper limit for the number of its items.
 */
const EVIDENCE_BYTES_OF_ITEM = 8

/**
 * Returns the maximum number of transactions of a proposed block with this commit and evidence, so that it has at most
 * {@link MAX_PROPOSED_ITEMS} items.
 */
export function maxProposedTxs(taken: { readonly signatures: number; readonly evidenceBytes: number }): number {
  const others = ITEMS_OF_FRAMING + ITEMS_OF_SIGNATURE * taken.signatures + taken.evidenceBytes / EVIDENCE_BYTES_OF_ITEM
  return Math.max(0, Math.floor(MAX_PROPOSED_ITEMS - others))
}

/** Throws {@link BlockError} if the transactions take more than `maxBytes`. */
export function validateTxsSize(txs: readonly Uint8Array[], maxBytes: bigint): void {
  let size = 0
  for (const tx of txs) {
    size += txProtoSize(tx)
    if (BigInt(size) > maxBytes) {
      throw new BlockError(BLOCK_ERRORS.dataSize, `transaction data size exceeds maximum ${maxBytes}`)
    }
  }
}
