import type { MethodName } from '@org/abci'
import { BlockIdFlag, type Vote } from '@org/types'
import {
  type RequestExtendVote,
  type RequestPrepareProposal,
  type RequestVerifyVoteExtension,
  type ResponseExtendVote,
  type ResponseVerifyVoteExtension,
  VerifyStatus,
} from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'

/** Records which vote extensions an application has made or accepted. */
export interface ExtensionRules {
  readonly answered: (node: string, method: MethodName, call: AppCall) => void
  readonly isAccepted: (vote: Pick<Vote, 'height' | 'extension'>) => boolean
}

export interface AppCall {
  readonly request: unknown
  readonly answer: unknown
}

/**
 * The number of heights for which accepted vote extensions are kept. The heights are counted down from the newest
 * height with an accepted vote extension.
 */
const KEEP = 100

export function createExtensionRules(violate: (rule: string, detail: string) => void): ExtensionRules {
  const accepted = new Map<number, Set<string>>()

  function accept(height: number, extension: Uint8Array): void {
    const known = accepted.get(height) ?? new Set()
    known.add(bytesToHex(extension))
    accepted.set(height, known)
    for (const old of accepted.keys()) if (old < height - KEEP) accepted.delete(old)
  }

  const isAccepted = (height: number, extension: Uint8Array): boolean => {
    const known = accepted.get(height)
    return known === undefined || known.has(bytesToHex(extension))
  }

  /**
   * Checks the vote extensions in a proposal. An application must have accepted the vote extensions of validators with
   * +2/3 of the power. The vote extensions of the other validators need not be accepted: if a precommit arrives after
   * the decision of its height, the application does not check the vote extension. The reference does not check it
   * either.
   */
  function checkProposer(node: string, { height, localLastCommit }: RequestPrepareProposal): void {
    if (!accepted.has(height - 1)) return
    let [good, total] = [0n, 0n]
    for (const { validator, voteExtension, blockIdFlag } of localLastCommit.votes) {
      total += validator.power
      if (blockIdFlag === BlockIdFlag.commit && isAccepted(height - 1, voteExtension)) good += validator.power
    }
    if (good * 3n > total * 2n) return
    violate(
      'extensions',
      `${node} proposes block ${height} with vote extensions that no application accepted: the valid ones have ${good} of the total power ${total}`,
    )
  }

  return {
    answered: (node, method, { request, answer }) => {
      if (method === 'extendVote') {
        const { voteExtension = new Uint8Array(0) } = answer as Partial<ResponseExtendVote>
        accept((request as RequestExtendVote).height, voteExtension)
      } else if (method === 'verifyVoteExtension') {
        const { height, voteExtension } = request as RequestVerifyVoteExtension
        if ((answer as ResponseVerifyVoteExtension).status === VerifyStatus.accept) accept(height, voteExtension)
      } else if (method === 'prepareProposal') checkProposer(node, request as RequestPrepareProposal)
    },
    isAccepted: ({ height, extension }) => isAccepted(height, extension),
  }
}
