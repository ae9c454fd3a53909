import {
  fingerprint,
  formatBlockId,
  isBlockIdComplete,
  isBlockIdZero,
  validateBlockIdBasic,
} from '../block-id/block-id.ts'
import { equalBytes } from '../bytes/index.ts'
import { ADDRESS_SIZE, addressOf, MAX_SIGNATURE_SIZE } from '../crypto/keys.ts'
import { verifySignature } from '../crypto/verify.ts'
import type { PublicKey } from '../crypto/wire.ts'
import { formatTime } from '../time/index.ts'
import { VOTE_ERRORS, VoteError } from './errors.ts'
import { voteExtensionSignBytes, voteSignBytes } from './sign-bytes.ts'
import { SignedMsgType, type Vote } from './wire.ts'

/** The maximum number of votes in one commit. It is also the maximum number of validators. */
export const MAX_VOTES_COUNT = 10_000

const invalid = (message: string): VoteError => new VoteError(VOTE_ERRORS.invalid, message)

/** Returns true if the type is a prevote or a precommit. */
export function isVoteTypeValid(type: number): boolean {
  return type === SignedMsgType.prevote || type === SignedMsgType.precommit
}

/** True if the vote is a precommit for a block. Only such a vote may carry an extension. */
export function isPrecommitForBlock(vote: Pick<Vote, 'type' | 'blockId'>): boolean {
  return vote.type === SignedMsgType.precommit && !isBlockIdZero(vote.blockId)
}

function checkExtension(vote: Vote): void {
  const { extension, extensionSignature } = vote
  if (!isPrecommitForBlock(vote)) {
    if (extension.length > 0) {
      const nil = isBlockIdZero(vote.blockId)
      throw invalid(`unexpected vote extension; vote type ${vote.type}, isNil ${nil}`)
    }
    if (extensionSignature.length > 0) throw invalid('unexpected vote extension signature')
    return
  }
  if (extensionSignature.length > MAX_SIGNATURE_SIZE) {
    throw invalid(`vote extension signature is too big (max: ${MAX_SIGNATURE_SIZE})`)
  }
  if (extensionSignature.length === 0 && extension.length !== 0) {
    throw invalid('vote extension signature absent on vote with extension')
  }
}

/** Throws {@link VoteError} on a vote that is not well formed. Signatures are not verified. */
export function validateVoteBasic(vote: Vote): void {
  if (!isVoteTypeValid(vote.type)) throw invalid('invalid Type')
  if (vote.height <= 0) throw invalid('negative or zero Height')
  if (vote.round < 0) throw invalid('negative Round')
  try {
    validateBlockIdBasic(vote.blockId)
  } catch (cause) {
    throw new VoteError(VOTE_ERRORS.invalid, `wrong BlockID: ${(cause as Error).message}`, { cause })
  }
  if (!isBlockIdZero(vote.blockId) && !isBlockIdComplete(vote.blockId)) {
    throw invalid(`blockID must be either empty or complete, got: ${formatBlockId(vote.blockId)}`)
  }
  if (vote.validatorAddress.length !== ADDRESS_SIZE) {
    throw invalid(
      `expected ValidatorAddress size to be ${ADDRESS_SIZE} bytes, got ${vote.validatorAddress.length} bytes`,
    )
  }
  if (vote.validatorIndex < 0) throw invalid('negative ValidatorIndex')
  if (vote.signature.length === 0) throw invalid('signature is missing')
  if (vote.signature.length > MAX_SIGNATURE_SIZE) throw invalid(`signature is too big (max: ${MAX_SIGNATURE_SIZE})`)
  checkExtension(vote)
}

/** Throws {@link VoteError} unless the key belongs to the vote's address and signed the vote. */
export function verifyVote(chainId: string, publicKey: PublicKey, vote: Vote): void {
  if (!equalBytes(addressOf(publicKey), vote.validatorAddress)) {
    throw new VoteError(VOTE_ERRORS.address, 'invalid validator address')
  }
  if (!verifySignature(publicKey, voteSignBytes(chainId, vote), vote.signature)) {
    throw new VoteError(VOTE_ERRORS.signature, 'invalid signature')
  }
}

/**
 * Does the same as {@link verifyVote}. If the vote is a precommit for a block, also verifies the signature of its
 * extension. This signature must be present.
 */
export function verifyVoteAndExtension(chainId: string, publicKey: PublicKey, vote: Vote): void {
  verifyVote(chainId, publicKey, vote)
  if (!isPrecommitForBlock(vote)) return
  if (vote.extensionSignature.length === 0) {
    throw new VoteError(VOTE_ERRORS.extensionAbsent, 'expected vote extension signature')
  }
  verifyVoteExtension(chainId, publicKey, vote)
}

/**
 * Throws {@link VoteError} if the vote is a precommit for a block and the key did not sign the vote's extension. Does
 * not check other votes, because they have no extension.
 */
export function verifyVoteExtension(chainId: string, publicKey: PublicKey, vote: Vote): void {
  if (!isPrecommitForBlock(vote)) return
  if (!verifySignature(publicKey, voteExtensionSignBytes(chainId, vote), vote.extensionSignature)) {
    throw new VoteError(VOTE_ERRORS.signature, 'invalid signature')
  }
}

const TYPE_NAMES: Readonly<Record<number, readonly [proto: string, short: string]>> = {
  [SignedMsgType.prevote]: ['SIGNED_MSG_TYPE_PREVOTE', 'Prevote'],
  [SignedMsgType.precommit]: ['SIGNED_MSG_TYPE_PRECOMMIT', 'Precommit'],
}

/** Returns the text that the reference's messages and its consensus state show for a vote. */
export function formatVote(vote: Vote | undefined): string {
  if (vote === undefined) return 'nil-Vote'
  const names = TYPE_NAMES[vote.type]
  if (names === undefined) throw invalid('Unknown vote type')
  const round = vote.round < 0 ? String(vote.round) : String(vote.round).padStart(2, '0')
  const who = `${vote.validatorIndex}:${fingerprint(vote.validatorAddress)}`
  const prints = [vote.blockId.hash, vote.signature, vote.extension].map(fingerprint).join(' ')
  const what = `${vote.height}/${round}/${names[0]}(${names[1]})`
  return `Vote{${who} ${what} ${prints} @ ${formatTime(vote.timestamp)}}`
}
