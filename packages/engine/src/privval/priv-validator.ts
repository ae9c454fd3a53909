import type { PublicKey } from '@org/types/crypto'
import type { Proposal, Vote } from '@org/types/vote'

/** Something with a signature. */
export type Said =
  | { readonly kind: 'vote'; readonly vote: Vote }
  | { readonly kind: 'proposal'; readonly proposal: Proposal }

/** Signs for one validator, and never twice for one height, round and step with other content. */
export interface PrivValidator {
  readonly pubKey: () => PublicKey
  /** Looks whether the key is still the same, as after each block. Never rejects. Absent: it does not change. */
  readonly refresh?: () => Promise<void>
  /** It signs in this process, so its signatures need no check. */
  readonly isLocal?: boolean
  /**
   * The vote with its signature (and, if asked for, that of its extension). If the same vote was signed with another time,
   * the first time and signature come back. Resolves only when the signature is remembered durably,
   * unless deferred.
   */
  readonly signVote: (chainId: string, vote: Vote, options?: SignVoteOptions) => Promise<Vote>
  readonly signProposal: (chainId: string, proposal: Proposal, options?: SignOptions) => Promise<Proposal>
  /**
   * Makes durable what was signed deferred up to this call, once `after` has resolved; rejects if either fails. Absent: the
   * signer knows no deferring.
   */
  readonly settle?: (after?: Promise<unknown>) => Promise<void>
  /**
   * Takes back what was signed before a crash that took the signer's memory of it; ignores what it remembers, and what it did
   * not sign. True if it was news: then it is to be settled before anything is shown.
   */
  readonly recall?: (chainId: string, said: Said) => boolean
}

export interface SignOptions {
  /** Resolve before the signature is remembered durably. Nobody may see it before the caller's `settle` resolves. */
  readonly deferred?: boolean
  /** Wait for a signer that is away for as long as it takes: without this signature the chain cannot go on. */
  readonly patient?: boolean
}

export interface SignVoteOptions extends SignOptions {
  /** Sign the extension too; default true for a precommit for a block, as the reference. */
  readonly withExtension?: boolean
}
