import { type Proposal, SignedMsgType, type ValidatorSet, type Vote } from '@org/types'
import { bytesToHex } from '@org/types/bytes'

/**
 * Checks the signatures that validators send: no validator signs two different votes or proposals, and each keeps its
 * lock.
 */
export interface SigningRules {
  /**
   * Checks a vote that a node sends. `own` is true if the node is honest and the vote is signed with its key. Returns
   * true if the vote is the node's own, and the node had not sent the same vote before.
   */
  readonly vote: (node: string, vote: Vote, own: boolean) => boolean
  /**
   * Checks a proposal that a node sends. `by` is the address of the node, if it is honest and the proposal is its own.
   */
  readonly proposal: (node: string, proposal: Proposal, by: Uint8Array | undefined) => void
}

export interface SigningModules {
  readonly violate: (rule: string, detail: string) => void
  readonly validatorsAt: (height: number) => ValidatorSet | undefined
}

interface Lock {
  readonly height: number
  readonly round: number
  readonly value: string
}

const NIL = 'nil'
/**
 * The number of heights, below the last one, whose signatures are kept. A node that was frozen for long sends votes of
 * heights that are long over.
 */
const KEEP = 1000

export function createSigningRules({ violate, validatorsAt }: SigningModules): SigningRules {
  /** The signed content by validator, kind, height and round. */
  const signed = new Map<number, Map<string, string>>()
  /** The validators that prevoted, by round and value. */
  const prevotes = new Map<number, Map<string, Set<string>>>()
  const locks = new Map<string, Lock>()

  function ofHeight<T>(heights: Map<number, Map<string, T>>, height: number): Map<string, T> {
    let found = heights.get(height)
    if (found === undefined) {
      found = new Map()
      heights.set(height, found)
      for (const old of heights.keys()) if (old < height - KEEP) heights.delete(old)
    }
    return found
  }

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

  /**
   * Returns true if more than two thirds of the power prevoted for the value in the round. The validator `also` counts
   * as one of the voters, even if its prevote is not recorded.
   */
  function isPolka({ height, round, value }: Lock, also?: string): boolean {
    const validators = validatorsAt(height)
    if (validators === undefined) return true
    const voters = prevotes.get(height)?.get(`${round} ${value}`) ?? new Set<string>()
    let [power, total] = [0n, 0n]
    for (const { address, votingPower } of validators.validators) {
      total += votingPower
      const name = bytesToHex(address)
      if (voters.has(name) || name === also) power += votingPower
    }
    return power * 3n > total * 2n
  }

  function mayLeave(lock: Lock, round: number, address: string): boolean {
    const rounds = ofHeight(prevotes, lock.height)
    for (const key of rounds.keys()) {
      const [at, value] = key.split(' ') as [string, string]
      const polkaRound = Number(at)
      if (polkaRound <= lock.round || polkaRound > round || value === lock.value) continue
      if (isPolka({ height: lock.height, round: polkaRound, value }, address)) return true
    }
    return false
  }

  function checkPrevote(node: string, { height, round, value }: Lock, address: string): void {
    const lock = locks.get(node)
    if (lock?.height !== height || lock.round >= round || value === lock.value || value === NIL) return
    if (!mayLeave(lock, round, address)) {
      violate(
        'lock',
        `${node} prevotes for ${value} at height/round ${height}/${round}, and is locked on ${lock.value} since round ${lock.round}`,
      )
    }
  }

  function checkPrecommit(node: string, voted: Lock, address: string): void {
    const { height, round, value } = voted
    if (value === NIL) return
    if (!isPolka(voted, address)) {
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
      if (polRound < 0 || isPolka({ height, round: polRound, value }, bytesToHex(by))) return
      violate(
        'lock',
        `${node} proposes ${value} at height/round ${height}/${round}, and claims +2/3 prevotes in round ${polRound}, which do not exist`,
      )
    },
    vote: (node, vote, own) => {
      const { height, round, type } = vote
      const value = votedFor(vote)
      const address = bytesToHex(vote.validatorAddress)
      if (type === SignedMsgType.prevote) {
        const rounds = ofHeight(prevotes, height)
        const key = `${round} ${value}`
        const voters = rounds.get(key) ?? new Set()
        voters.add(address)
        rounds.set(key, voters)
      }
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
