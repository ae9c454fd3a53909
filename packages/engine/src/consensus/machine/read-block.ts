import { isCodedError, messageOf } from '@org/runtime/errors'
import { type BlockId, hashBlock, MAX_BLOCK_SIZE_BYTES, type PartSet } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { SCHEMA_ERRORS } from '@org/types/schema'
import { type Core, note } from './core.ts'
import { MACHINE_ERRORS, MachineError } from './errors.ts'
import { decodeCandidate } from './proposal-block.ts'
import type { Candidate } from './round-state.ts'

/** How far the validators agree on a block at this height: not at all, by a polka, or by the decision. */
type Agreement = 'none' | 'polka' | 'decided'

/**
 * Reads the incoming block from its parts, which are all present. The block stays unread if the parts contain no block
 * that this node accepts.
 */
export function readBlock(core: Core, parts: PartSet): void {
  const { state, emit } = core
  const { maxBytes } = state.chain.consensusParams.block
  const limit = maxBytes === -1n ? MAX_BLOCK_SIZE_BYTES : Number(maxBytes)
  if (parts.byteSize > limit) {
    note.error(core, 'The proposal block is too large', { size: parts.byteSize, limit })
    return
  }
  const candidate = candidateOf(core, parts)
  if (candidate === undefined) return
  state.incoming = candidate
  const { hash } = candidate
  note.info(core, 'received complete proposal block', { hash: bytesToHex(hash) })
  const { height, round, step } = state
  const blockId = { hash, partSetHeader: parts.header }
  emit({ type: 'publish', event: { type: 'CompleteProposal', height, round, step, blockId } })
}

/**
 * Reads the block that +2/3 voted for, if all its parts are present and the block was not read before. This node
 * refused the block as a proposal, because it had too many items. But the chain may continue only with a block that
 * +2/3 voted for, so this node reads it now.
 */
export function readAgreedBlock(core: Core, { partSetHeader }: BlockId): void {
  const { incoming } = core.state
  if (incoming === undefined || incoming.block !== undefined || !incoming.parts.isComplete) return
  if (incoming.parts.hasHeader(partSetHeader)) readBlock(core, incoming.parts)
}

function candidateOf(core: Core, parts: PartSet): Candidate | undefined {
  const { ownBlock, options } = core
  if (ownBlock?.parts.hasHeader(parts.header) === true)
    return { block: ownBlock.block, hash: hashBlock(ownBlock.block), parts }
  const first = decode(parts, options.maxProposedItems)
  if ('candidate' in first) return first.candidate
  const agreement = hasTooManyItems(first.error) ? agreementOn(core, parts) : 'none'
  // A block with more than `maxProposedItems` items takes much memory. It is decoded only if +2/3 voted for it.
  const last = agreement === 'none' ? first : decode(parts, options.maxAgreedItems)
  if ('candidate' in last) return last.candidate
  if (agreement === 'decided' && hasTooManyItems(last.error)) throw decidedTooLarge(core, parts, last.error)
  note.error(core, 'The proposal block cannot be decoded', { reason: messageOf(last.error) })
  return undefined
}

/**
 * Decodes the block, or returns the error as a value. The bytes come from a proposer that may be faulty, so consensus
 * must continue after any error.
 */
function decode(parts: PartSet, maxItems: number): { readonly candidate: Candidate } | { readonly error: unknown } {
  try {
    return { candidate: { ...decodeCandidate(parts.bytes, maxItems), parts } }
  } catch (error) {
    return { error }
  }
}

const hasTooManyItems = (error: unknown): boolean => isCodedError(error, SCHEMA_ERRORS.tooManyItems)

function agreementOn({ state: { votes } }: Core, parts: PartSet): Agreement {
  let agreement: Agreement = 'none'
  for (let round = 0; round <= votes.round; round++) {
    const [polka, decided] = [votes.prevotes(round)?.majority, votes.precommits(round)?.majority]
    if (decided !== undefined && parts.hasHeader(decided.partSetHeader)) return 'decided'
    if (polka !== undefined && parts.hasHeader(polka.partSetHeader)) agreement = 'polka'
  }
  return agreement
}

function decidedTooLarge({ state, options }: Core, parts: PartSet, cause: unknown): MachineError {
  const { height } = state
  const limit = options.maxAgreedItems
  const message =
    `+2/3 decided on a block at height ${height} (${parts.byteSize} bytes) that has more than ${limit} transactions, signatures ` +
    'and other items. The heap of this process cannot hold them. Start the node with a larger heap (HALLEY_HEAP_MB); the node ' +
    'then continues with this block'
  return new MachineError(MACHINE_ERRORS.decidedTooLarge, message, {
    data: { height, size: parts.byteSize, limit },
    cause,
  })
}
