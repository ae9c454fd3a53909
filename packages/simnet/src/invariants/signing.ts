import { type Proposal, SignedMsgType, type ValidatorSet, type Vote } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { createPrevoteRecord, NIL, ofHeight, type VotedValue } from './prevote-record.ts'

/**
 * Checks what honest validators sign: they sign no two different votes or proposals of one round, and keep their locks.
 */
export interface SigningRules {
  /**
   * Checks a vote that a node sends. A node also sends votes of other validators. `own` is true if the node is honest
   * and has signed the vote with its own key. Returns true if `own` is true and the node had not sent the same vote
   * before.
   */
  readonly vote: (node: string, vote: Vote, own: boolean) => boolean
  /**
   * Checks a proposal that a node sends. `by` is the address of the node if the node is honest and made the proposal,
   * otherwise `undefined`.
   */
  readonly proposal: (node: string, proposal: Proposal, by: Uint8Array | undefined) => void
}

export interface SigningModules {
  readonly violate: (rule: string, detail: string) => void
  readonly validatorsAt: (height: number) => ValidatorSet | undefined
}

export function createSigningRules({ violate, validatorsAt }: SigningModules): SigningRules {
  /**
   * The content that honest nodes signed, in two levels of maps. The key of the outer map is the height. The key of an
   * inner map names the node, the kind of the message and the round.
   */
  const signed = new Map<number, Map<string, string>>()
  const prevotes = createPrevoteRecord(validatorsAt)
  const locks = new Map<string, VotedValue>()

  const votedFor = ({ blockId }: Vote): string => (blockId.hash.length === 0 ? NIL : bytesToHex(blockId.hash))

  /**
   * Records what a validator signed. `key` names the validator, the type of the message and the round. Different
   * content for the same `key` is a violation. Returns false if the same content was recorded before.
   */
  function signOnce(height: number, key: string, content: string): boolean {
    const known = ofHeight(signed, height)
    const before = known.get(key)
    if (before === undefined) known.set(key, content)
    else if (before !== content) violate('signs twice', `${key} at height ${height}: first ${before}, then ${content}`)
    return before !== content
  }

  function checkPrevote(node: string, { height, round, value }: VotedValue, address: string): void {
    const lock = locks.get(node)
    if (lock?.height !== height || lock.round >= round || value === lock.value || value === NIL) return
    if (!prevotes.mayLeave(lock, round, address)) {
      violate(
        'lock',
        `${node} prevotes for ${value} at height/round ${height}/${round}, and is locked on ${lock.value} since round ${lock.round}`,
      )
    }
  }

  function checkPrecommit(node: string, voted: VotedValue, address: string): void {
    const { height, round, value } = voted
    if (value === NIL) return
    if (!prevotes.isPolka(voted, address)) {
      violate(
        'lock',
        `${node} precommits ${value} at height/round ${height}/${round}, for which there are no +2/3 prevotes`,
      )
    }
    const lock = locks.get(node)
    if (lock?.height === height && lock.round > round) return
    locks.set(node, voted)
  }

  return {
    proposal: (node, { height, round, polRound, blockId, timestamp }, by) => {
      if (by === undefined) return
      const value = bytesToHex(blockId.hash)
      if (!signOnce(height, `${node} proposal/${round}`, `${polRound}/${value}/${timestamp}`)) return
      if (polRound < 0 || prevotes.isPolka({ height, round: polRound, value }, bytesToHex(by))) return
      violate(
        'lock',
        `${node} proposes ${value} at height/round ${height}/${round}, and claims +2/3 prevotes in round ${polRound}, which do not exist`,
      )
    },
    vote: (node, vote, own) => {
      const { height, round, type } = vote
      const value = votedFor(vote)
      const address = bytesToHex(vote.validatorAddress)
      if (type === SignedMsgType.prevote) prevotes.add({ height, round, value }, address)
      if (!own) return false
      const parts = bytesToHex(vote.blockId.partSetHeader.hash)
      const isPrevote = type === SignedMsgType.prevote
      const key = `${node} ${isPrevote ? 'prevote' : 'precommit'}/${round}`
      // The node sends the vote to each of its peers. The vote was checked when the node sent it to the first peer.
      if (!signOnce(height, key, `${value}/${parts}/${vote.timestamp}`)) return false
      if (isPrevote) checkPrevote(node, { height, round, value }, address)
      else checkPrecommit(node, { height, round, value }, address)
      return true
    },
  }
}
