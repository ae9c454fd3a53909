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
   * Checks whether the signer has another key now. Called during the commit of each block. Never rejects. A signer
   * whose key cannot change does not have this method.
   */
  readonly refresh?: () => Promise<void>
  /** True if the signer is in this process, so that its signatures need no check. */
  readonly isLocal?: boolean
  /**
   * Returns the vote with its signature and, if requested, with the signature of its extension. If the signer has
   * already signed the same vote with a different time, the returned vote has the earlier time and the earlier
   * signature. Resolves when the signature is durable, or earlier with the option `deferred`.
   */
  readonly signVote: (chainId: string, vote: Vote, options?: SignVoteOptions) => Promise<Vote>
  readonly signProposal: (chainId: string, proposal: Proposal, options?: SignOptions) => Promise<Proposal>
  /**
   * Makes durable all signatures that were made before this call with the option `deferred`. Writes nothing before
   * `after` has resolved. Rejects if `after` rejects or if the write fails. A signer that defers no signature does not
   * have this method.
   */
  readonly makeDurable?: (after?: Promise<unknown>) => Promise<void>
  /**
   * Adds a message that this key signed before to the sign state, because a crash may have removed the message from it.
   * Ignores a message that the sign state contains, and a message that this key did not sign. Returns true if the sign
   * state changed. The caller must then wait for `makeDurable` before it sends a message to another node.
   */
  readonly recall?: (chainId: string, message: SignedMessage) => boolean
}

/** The options of a request to sign a message. */
export interface SignOptions {
  /**
   * If true, the returned promise resolves before the signature is durable. The caller must not send the message to
   * another node before `makeDurable` resolves.
   */
  readonly deferred?: boolean
  /**
   * If true, the node waits without a time limit for a signer that is not connected. This is for a validator with so
   * much power that the chain cannot continue without its signatures.
   */
  readonly retryForever?: boolean
}

/** The options of a request to sign a vote and its extension. */
export interface SignVoteOptions extends SignOptions {
  /** If true, the signer also signs the extension. Default: true for a precommit for a block, as in the reference. */
  readonly withExtension?: boolean
}
