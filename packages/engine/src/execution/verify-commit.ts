import { type Block, type Commit, type State, verifyCommit } from '@org/types'
import type { SignedItem } from '@org/types/crypto'
import { POOLED_SIGNATURES, type SignatureChecker } from '../signatures/index.ts'
import type { VerifiedVotes } from './verified-votes.ts'

export interface CommitVerifierModules {
  readonly verifiedVotes?: VerifiedVotes | undefined
  /** Verifies signatures. Default: `POOLED_SIGNATURES`. */
  readonly signatures?: Pick<SignatureChecker, 'findInvalid'> | undefined
}

/**
 * Creates a function that verifies a block's last commit. The signatures must be from the validators of the previous
 * block. Signatures in `verifiedVotes` are not verified again.
 */
export function createCommitVerifier(modules: CommitVerifierModules): (state: State, block: Block) => Promise<void> {
  const { verifiedVotes, signatures = POOLED_SIGNATURES } = modules

  async function findInvalid(items: readonly SignedItem[]): Promise<number> {
    const unknown: { readonly item: SignedItem; readonly index: number }[] = []
    for (const [index, item] of items.entries()) {
      if (verifiedVotes?.has(item) !== true) unknown.push({ item, index })
    }
    if (unknown.length === 0) return -1
    const rest = unknown.map(({ item }) => item)
    const bad = await signatures.findInvalid(rest)
    if (bad !== -1) return unknown[bad]?.index ?? -1
    for (const item of rest) verifiedVotes?.remember(item)
    return -1
  }

  return (state, { header, lastCommit }) =>
    verifyCommit(
      {
        chainId: state.chainId,
        validators: state.lastValidators,
        blockId: state.lastBlockId,
        height: header.height - 1,
        // A block without a commit is malformed, and this block was found well formed before.
        commit: lastCommit as Commit,
      },
      findInvalid,
    )
}
