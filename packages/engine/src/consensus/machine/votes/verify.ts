import { isPrecommitForBlock, type Vote, voteExtensionSignBytes, voteSignBytes } from '@org/types'
import type { PublicKey } from '@org/types/crypto'
import { VOTE_REFUSALS, type VoteRefusal } from './errors.ts'

/**
 * Returns true if the key signed the message. The result must depend on the arguments alone; the function may
 * remember results.
 */
export type VerifySignature = (publicKey: PublicKey, message: Uint8Array, signature: Uint8Array) => boolean

/** Returns the signatures that a vote must have. Each item is the signed message and its signature. */
export function signaturesOf(chainId: string, vote: Vote, extended: boolean): readonly [Uint8Array, Uint8Array][] {
  const voteSignature: [Uint8Array, Uint8Array] = [voteSignBytes(chainId, vote), vote.signature]
  return extended && isPrecommitForBlock(vote)
    ? [voteSignature, [voteExtensionSignBytes(chainId, vote), vote.extensionSignature]]
    : [voteSignature]
}

export interface VoteVerification {
  readonly chainId: string
  readonly extended: boolean
  readonly verify: VerifySignature
}

/** Returns why the vote's signatures are invalid; `undefined` if they are valid. */
export function refuseSignatures(
  vote: Vote,
  publicKey: PublicKey,
  { chainId, extended, verify }: VoteVerification,
): VoteRefusal | undefined {
  if (extended && isPrecommitForBlock(vote) && vote.extensionSignature.length === 0)
    return VOTE_REFUSALS.missingExtension
  if (!extended && (vote.extension.length > 0 || vote.extensionSignature.length > 0)) {
    return VOTE_REFUSALS.unexpectedExtension
  }
  const valid = signaturesOf(chainId, vote, extended).every(([message, signature]) =>
    verify(publicKey, message, signature),
  )
  return valid ? undefined : VOTE_REFUSALS.invalidSignature
}
