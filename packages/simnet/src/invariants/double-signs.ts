import type { Engine } from '@org/engine'
import { RoundStep } from '@org/engine/consensus'
import { type Block, isPrecommitForBlock, SignedMsgType, type Vote, voteSignBytes } from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import type { Verify } from './block-rules.ts'

/** Checks that a block contains evidence of each double sign that honest nodes received. */
export interface DoubleSigns {
  /** To be called when a node receives a vote, before the node handles it. */
  readonly received: (node: string, engine: Pick<Engine, 'consensus' | 'sizes'>, vote: Vote) => void
  /** To be called when a node has published a block. */
  readonly committed: (node: string, height: number) => void
  /**
   * To be called when a node has stopped. Removes the double signs that the node received at heights whose blocks the
   * node has not published. The node may have lost the votes of these heights, so it need not make evidence of them.
   */
  readonly ended: (node: string) => void
  /** To be called with each block of the chain. */
  readonly block: (block: Block) => void
  /**
   * Returns the double signs of which no block contains evidence, although a node received both votes, and the chain
   * has grown by `grace` blocks since then.
   */
  readonly missingEvidence: (height: number, grace: number) => readonly string[]
}

interface Seen {
  /** A text with the validator, and the type, the height and the round of the two votes. */
  readonly what: string
  readonly height: number
  /**
   * True if the node has handled both votes. This is so if the node was idle after it received them, and was still at
   * their height.
   */
  taken: boolean
}

const voteKey = ({ validatorAddress, height, round, type }: Vote): string =>
  `${bytesToHex(validatorAddress)} ${type === SignedMsgType.prevote ? 'prevotes' : 'precommits'} at ${height}/${round}`

export function createDoubleSigns({ chainId, verify }: { chainId: string; verify: Verify }): DoubleSigns {
  const seen = new Map<string, Seen[]>()
  /**
   * The double signs of which a block must contain evidence. The value is the height at which the grace period
   * begins. The grace period is the number of blocks within which a block must contain the evidence.
   */
  const dueSince = new Map<string, number>()
  const committed = new Set<string>()
  let last = 0

  /**
   * Returns true if the node already has a different vote of the same validator, type and round, and must therefore
   * detect the double sign. Returns false if the node need not detect it, for example because it has left the vote's
   * height.
   */
  function contradicts(vote: Vote, { consensus }: Pick<Engine, 'consensus'>): boolean {
    const view = consensus.roundState()
    const { height, round, validatorIndex, type } = vote
    if (view.height !== height || view.step >= RoundStep.commit) return false
    const set = type === SignedMsgType.prevote ? view.votes.prevotes(round) : view.votes.precommits(round)
    const first = set?.vote(validatorIndex)
    if (first === undefined || equalBytes(first.blockId.hash, vote.blockId.hash)) return false
    if (!equalBytes(first.validatorAddress, vote.validatorAddress)) return false
    // A vote that needs an extension may be refused because of the extension. So the node need not find that this
    // vote contradicts another one.
    if (set?.options.extended === true && isPrecommitForBlock(vote)) return false
    if (vote.extension.length > 0 || vote.extensionSignature.length > 0) return false
    const publicKey = view.validators.validators[validatorIndex]?.pubKey
    if (publicKey === undefined) return false
    return verify({ publicKey, message: voteSignBytes(chainId, vote), signature: vote.signature })
  }

  /**
   * Marks the double signs for which the node has handled both votes (`taken`). An idle node has handled all messages
   * that it received. So if the node is idle, the function marks all double signs at the node's present height. It then
   * removes each double sign that is not marked and is at another height. The node left this height before it was idle,
   * so it may have handled the second vote too late to detect the double sign.
   */
  function markHandled(node: string, { consensus, sizes }: Pick<Engine, 'consensus' | 'sizes'>): void {
    const list = seen.get(node)
    if (list === undefined || list.every(({ taken }) => taken)) return
    const { height, step } = consensus.roundState()
    const rests = step < RoundStep.commit && !consensus.isBusy() && sizes()['consensus inbox'] === 0
    for (const each of list) if (each.height === height && rests) each.taken = true
    seen.set(
      node,
      list.filter((each) => each.taken || each.height === height),
    )
  }

  return {
    received: (node, engine, vote) => {
      markHandled(node, engine)
      if (!contradicts(vote, engine)) return
      const list = seen.get(node) ?? []
      seen.set(node, list)
      list.push({ what: voteKey(vote), height: vote.height, taken: false })
    },
    committed: (node, height) => {
      const list = seen.get(node) ?? []
      for (const each of list) {
        if (each.taken && each.height <= height && !dueSince.has(each.what))
          dueSince.set(each.what, Math.max(last, height))
      }
      seen.set(
        node,
        list.filter((each) => each.height > height),
      )
    },
    ended: (node) => void seen.delete(node),
    block: ({ header, evidence }) => {
      last = Math.max(last, header.height)
      for (const { sum } of evidence.evidence) {
        if (sum?.case === 'duplicateVoteEvidence' && sum.value.voteA !== undefined)
          committed.add(voteKey(sum.value.voteA))
      }
    },
    missingEvidence: (height, grace) =>
      [...dueSince].flatMap(([what, since]) => (committed.has(what) || height < since + grace ? [] : [what])),
  }
}
