import type { Proposal, Vote } from '@org/types'
import type { PublicKey } from '@org/types/crypto'

/** A signed message of this validator. */
export type SignedMessage =
  | { readonly kind: 'vote'; readonly vote: Vote }
  | { readonly kind: 'proposal'; readonly proposal: Proposal }

/** Signs for one validator. It never signs two different messages for one height, round and step. */
export interface PrivValidator {
  readonly pubKey: () => PublicKey
  /**
   * Checks whether the signer has another key now; called during the commit of each block. Never rejects. Absent: the
   * key does not change.
   */
  readonly refresh?: () => Promise<void>
  /** True if the signer is in this process, so that its signatures need no check. */
  readonly isLocal?: boolean
  /**
   * Returns the vote with its signature and, if requested, with the signature of its extension. If the same vote was
   * signed before with another time, the result has that time and its signature. Resolves when the signature is
   * durable, or earlier with the option `deferred`.
   */
  readonly signVote: (chainId: string, vote: Vote, options?: SignVoteOptions) => Promise<Vote>
  readonly signProposal: (chainId: string, proposal: Proposal, options?: SignOptions) => Promise<Proposal>
  /**
   * Makes durable all signatures that were made before this call with the option `deferred`. Writes nothing before
   * `after` has resolved. Rejects if `after` rejects or if the write fails. Absent: the signer defers no signature.
   */
  readonly makeDurable?: (after?: Promise<unknown>) => Promise<void>
  /**
   * Adds a signed message to the sign state, from which a crash may have removed the message. Ignores a message that
   * the sign state has already, and a message that this key did not sign. Returns true if the sign state changed: the
   * caller must then wait for `makeDurable` before it sends anything to others.
   */
  readonly recall?: (chainId: string, message: SignedMessage) => boolean
}

/** The way in which a signer signs: whether it waits for the disk, and how long for a connection. */
export interface SignOptions {
  /**
   * If true, the returned promise resolves before the signature is durable. The caller must not send the message to
   * another node before `makeDurable` resolves.
   */
  readonly deferred?: boolean
  /** Wait without a limit for a signer that is not connected: without this signature the chain cannot continue. */
  readonly patient?: boolean
}

/** The way in which a signer signs a vote and its extension. */
export interface SignVoteOptions extends SignOptions {
  /** Sign the extension too. Default: true for a precommit for a block, as in the reference. */
  readonly withExtension?: boolean
}
