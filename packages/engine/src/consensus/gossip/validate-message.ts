import { CodedError } from '@org/runtime/errors'
import {
  type BitWords,
  isBitWordsValid,
  isVoteTypeValid,
  MAX_BLOCK_PARTS_COUNT,
  MAX_VOTES_COUNT,
  validateBlockIdBasic,
  validatePartBasic,
  validatePartSetHeaderBasic,
  validateProposalBasic,
  validateVoteBasic,
} from '@org/types'
import type { ConsensusMessage } from '@org/types/messages'
import { isRoundStep } from '../machine/index.ts'

type Sum = NonNullable<ConsensusMessage['sum']>
type Value<C extends Sum['case']> = Extract<Sum, { readonly case: C }>['value']

function fail(reason: string): never {
  throw new CodedError('CONSENSUS_BAD_MESSAGE', reason)
}

function checkHeightAndRound({ height, round }: { readonly height: number; readonly round: number }): void {
  if (height < 0) fail('negative Height')
  if (round < 0) fail('negative Round')
}

function checkVoteType(type: number): void {
  if (!isVoteTypeValid(type)) fail('invalid Type')
}

function checkBits(name: string, bits: BitWords, max: number): void {
  if (!isBitWordsValid(bits)) fail(`validating ${name}: ${bits.bits} bits do not fit ${bits.elems.length} elements`)
  if (bits.bits > max) fail(`${name} bit array is too big: ${bits.bits}, max: ${max}`)
}

function checkNewRoundStep(message: Value<'newRoundStep'>): void {
  checkHeightAndRound(message)
  if (!isRoundStep(message.step)) fail('invalid Step')
  if (message.lastCommitRound < -1) fail('invalid LastCommitRound (cannot be < -1)')
}

function checkNewValidBlock(message: Value<'newValidBlock'>): void {
  checkHeightAndRound(message)
  validatePartSetHeaderBasic(message.blockPartSetHeader)
  const { blockParts, blockPartSetHeader } = message
  if (blockParts === undefined || blockParts.bits === 0) fail('empty blockParts')
  checkBits('blockParts', blockParts, MAX_BLOCK_PARTS_COUNT)
  if (blockParts.bits !== blockPartSetHeader.total) {
    fail(
      `blockParts bit array size ${blockParts.bits} not equal to BlockPartSetHeader.Total ${blockPartSetHeader.total}`,
    )
  }
}

function checkProposalPol({ height, proposalPolRound, proposalPol }: Value<'proposalPol'>): void {
  if (height < 0) fail('negative Height')
  if (proposalPolRound < 0) fail('negative ProposalPOLRound')
  if (proposalPol.bits === 0) fail('empty ProposalPOL bit array')
  checkBits('ProposalPOL', proposalPol, MAX_VOTES_COUNT)
}

const CHECKS: { readonly [C in Sum['case']]: (value: Value<C>) => void } = {
  newRoundStep: checkNewRoundStep,
  newValidBlock: checkNewValidBlock,
  proposal: ({ proposal }) => validateProposalBasic(proposal),
  proposalPol: checkProposalPol,
  blockPart: (message) => {
    checkHeightAndRound(message)
    validatePartBasic(message.part)
  },
  vote: ({ vote }) => validateVoteBasic(vote ?? fail('nil vote')),
  hasVote: (message) => {
    checkHeightAndRound(message)
    checkVoteType(message.type)
    if (message.index < 0) fail('negative Index')
  },
  voteSetMaj23: (message) => {
    checkHeightAndRound(message)
    checkVoteType(message.type)
    validateBlockIdBasic(message.blockId)
  },
  voteSetBits: ({ height, type, blockId, votes }) => {
    if (height < 0) fail('negative Height')
    checkVoteType(type)
    validateBlockIdBasic(blockId)
    checkBits('votes', votes, MAX_VOTES_COUNT)
  },
}

/** Throws unless the message is well formed by the reference's rules. No signature or proof is verified. */
export function validateMessage(sum: Sum): void {
  const check = CHECKS[sum.case] as (value: Sum['value']) => void
  check(sum.value)
}

/**
 * Returns the text of the error if the height or the last commit round in a peer's NewRoundStep message is impossible
 * for a chain with this initial height; otherwise `undefined`.
 */
export function heightFault(
  { height, lastCommitRound }: Pick<Value<'newRoundStep'>, 'height' | 'lastCommitRound'>,
  initialHeight: number,
): string | undefined {
  if (height < initialHeight) return `invalid Height ${height} (lower than initial height ${initialHeight})`
  if (height === initialHeight && lastCommitRound !== -1) {
    return `invalid LastCommitRound ${lastCommitRound} (must be -1 for initial height ${initialHeight})`
  }
  if (height > initialHeight && lastCommitRound < 0) {
    return `LastCommitRound can only be negative for initial height ${initialHeight}`
  }
  return undefined
}
