import { type RoundState, RoundStep, type UntimedInput } from '@org/engine/consensus'
import { proposerOf, SignedMsgType } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { type ModelVote, type VoteType, voteSetOf } from './message.ts'
import type { Model } from './model.ts'

/**
 * The prefix of the names of bad blocks. In the explorer, each block has a name. The application refuses a block if the
 * block's name begins with this prefix.
 */
export const REFUSED = 'bad'

/**
 * The rules of the Tendermint paper (arXiv 1807.04938) for one validator. They are checked outside of the machine, with
 * a second count of the votes.
 */
export interface Rules {
  /** To be called before each input of the machine. */
  readonly onReceived: (input: UntimedInput) => void
  /** To be called when the validator sends a vote, before its machine counts this vote. */
  readonly onSent: (vote: ModelVote) => void
  /** To be called after each step of the machine. Checks the lock and the proposer. */
  readonly stands: () => void
}

export interface RulesModules {
  readonly rounds: number
  /** The validator's earlier votes. */
  readonly votes: readonly ModelVote[]
  /** Receives each violation. */
  readonly faults: string[]
  readonly state: () => Readonly<RoundState>
}

export function createRules(model: Model, { rounds, votes, faults, state }: RulesModules): Rules {
  /** The first vote of each validator, by type and round. */
  const received = new Map<string, Map<number, string>>()
  let isLate = false

  function majority(type: VoteType, round: number): string | undefined {
    const powers = new Map<string, number>()
    for (const [validator, value] of received.get(voteSetOf({ type, round })) ?? []) {
      powers.set(value, (powers.get(value) ?? 0) + (model.powers[validator] as number))
    }
    const total = model.powers.reduce((sum, power) => sum + power, 0)
    return [...powers].find(([, power]) => 3 * power > 2 * total)?.[0]
  }

  const fail = (fault: string): void => {
    if (!faults.includes(fault)) faults.push(fault)
  }

  /** Returns true if a round after the round of the lock, and at most `upTo`, has a polka for another value. */
  function isFreed(lock: ModelVote, upTo: number): boolean {
    for (let round = lock.round + 1; round <= upTo; round++) {
      const polka = majority('prevote', round)
      if (polka !== undefined && polka !== lock.value) return true
    }
    return false
  }

  const lastLock = (): ModelVote | undefined =>
    votes.findLast((other) => other.type === 'precommit' && other.value !== 'nil')

  function judgePrevote({ round, value }: ModelVote): void {
    if (value.startsWith(REFUSED)) fail('prevote for a refused block')
    const lock = lastLock()
    if (lock !== undefined && lock.value !== value && !isFreed(lock, round)) {
      fail(`prevote for ${value} in round ${round}, although locked on ${lock.value}`)
    }
    const { proposal, incoming } = state()
    const isProposed = proposal !== undefined && model.nameOf(proposal.blockId.hash) === value
    if (!isProposed || incoming?.block === undefined || isLate || lock?.value === value) return
    // After its propose timeout, the validator prevotes the proposed block even if it has not received the polka that
    // the proposal claims. The reference does the same. So this check is only for prevotes before the timeout.
    if (proposal.polRound >= 0 && majority('prevote', proposal.polRound) === undefined) {
      fail(`prevote for ${value} in round ${round} before the polka of round ${proposal.polRound}`)
    }
  }

  return {
    onReceived: (input) => {
      isLate = input.type === 'timeout' && input.timeout.step === RoundStep.propose
      if (input.type !== 'message' || input.message.kind !== 'vote') return
      const { vote } = input.message
      const type = vote.type === SignedMsgType.prevote ? 'prevote' : 'precommit'
      const key = voteSetOf({ type, round: vote.round })
      const slots = received.get(key) ?? new Map<number, string>()
      received.set(key, slots)
      if (!slots.has(vote.validatorIndex)) slots.set(vote.validatorIndex, model.nameOf(vote.blockId.hash))
    },
    onSent: (vote) => {
      const { type, round, value } = vote
      const before = votes.find((other) => other.type === type && other.round === round)
      if (before !== undefined) fail(`two ${type}s in round ${round}: ${before.value}, ${value}`)
      if (value === 'nil') return
      if (type === 'prevote') judgePrevote(vote)
      else if (majority('prevote', round) !== value) fail(`precommit for ${value} without its polka`)
    },
    stands: () => {
      const { round, validators, locked } = state()
      const lock = lastLock()
      if (lock !== undefined && (locked === undefined || model.nameOf(locked.hash) !== lock.value)) {
        if (!isFreed(lock, Math.max(round, rounds)))
          fail(`no longer locked on ${lock.value}, without a polka after round ${lock.round}`)
      }
      const proposer = model.addresses[model.proposers[round] ?? -1]
      if (proposer !== undefined && !equalBytes(proposerOf(validators)?.address ?? new Uint8Array(0), proposer)) {
        fail(`the proposer of round ${round} differs from the proposer of the other validators`)
      }
    },
  }
}
