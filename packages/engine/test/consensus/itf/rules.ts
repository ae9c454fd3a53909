import { RoundStep } from '../../../src/consensus/machine/index.ts'
import type { VoteSet } from '../../../src/consensus/machine/votes/index.ts'
import type { Difference, Point } from './drive.ts'

/**
 * A deliberate difference between CometBFT v0.38 and the Quint model. The machine behaves as CometBFT does. `explains`
 * returns true for a difference that the rule allows. The docstring of a rule may begin with names, such as `addVote`.
 * These names are functions in CometBFT's `consensus/state.go`, whose behaviour differs from the model.
 */
export interface Rule {
  readonly name: string
  readonly explains: (difference: Difference, point: Point) => boolean
}

/**
 * `addVote`: a validator of the Quint model skips to a later round when it has votes of more than a third of the
 * validators in the later round. The machine skips to the later round only when it has prevotes of more than two thirds
 * in the later round, or precommits of more than two thirds. Until then the machine sends nothing in the later round. A
 * timeout may make the machine vote in the earlier round. The validator of the model does not vote there, because it
 * has left the earlier round.
 */
const SKIP: Rule = {
  name: 'a round is skipped by two thirds',
  explains: ({ field, model, machine }, point) => {
    const { round } = point.live.host.machine.state
    if (field !== 'round') {
      const { kind, round: at } = parseMessageField(field) ?? { kind: '', round: -1 }
      if (kind === 'prevote' && model === 'none' && machine === 'nil') return at < point.node.es.cs.round
      const isLater = at > round && machine === 'none'
      const skipped = point.differences.find((other) => other.field === 'round')
      return (isLater || field === 'step') && skipped !== undefined && SKIP.explains(skipped, point)
    }
    const target = Number(model)
    const between = Array.from({ length: Math.max(0, target - round) }, (_, i) => round + 1 + i)
    return (
      hasThird(point, target) && between.every((later) => votesOf(point, later).every((set) => !set.hasTwoThirdsAny))
    )
  },
}

/**
 * A consequence of the rule `SKIP`. A validator of the Quint model enters a later round and votes before its machine
 * does. In the model, the validator's own vote completes a quorum. The machine has not sent this vote yet, so it has no
 * quorum.
 */
const LATE: Rule = {
  name: 'a quorum lacks the vote of a node that came late',
  explains: ({ field, model, machine }, point) => {
    const { height } = point.node.es.cs
    const last = model.split(', ').at(-1) ?? ''
    const round = Number(last.split(' in ')[1] ?? parseMessageField(field)?.round ?? -1)
    if (field === 'step') {
      return point.differences.some((other) => other.field === 'decided' && LATE.explains(other, point))
    }
    if (!point.live.late.has(`${height}/${round}`)) return false
    if (field === 'decided') return majorityOf(point, round) === undefined && model.startsWith(machine)
    const isPolka = field === 'locked' || field === 'valid' || parseMessageField(field)?.kind === 'precommit'
    return isPolka && polkaOf(point, round) === undefined
  },
}

/**
 * `defaultDoPrevote`: a locked node prevotes its locked block, with any proposal and also without a proposal. The Quint
 * model prevotes nil, unless the proposal is for the locked block or refers to a polka of a later round.
 */
const LOCKED: Rule = {
  name: 'the locked block is prevoted',
  explains: ({ field, model, machine }, point) => {
    const { kind, height, round } = parseMessageField(field) ?? { kind: '', height: 0, round: 0 }
    if (kind !== 'prevote' || model !== 'nil') return false
    const before = Array.from({ length: round }, (_, i) => round - 1 - i)
    const lock = before.find((r) => !['nil', undefined].includes(point.live.host.sent.get(`precommit ${height}/${r}`)))
    if (lock === undefined || point.live.host.sent.get(`precommit ${height}/${lock}`) !== machine) return false
    return before.every((r) => r <= lock || [undefined, machine].includes(polkaOf(point, r)))
  },
}

/**
 * `defaultDoPrevote` after the timeout: the node prevotes the proposed block, even if it has not seen the polka that
 * the proposal refers to. The Quint model prevotes nil.
 */
const APPEAL: Rule = {
  name: 'after the timeout a proposal is prevoted without its polka',
  explains: ({ field, model, machine }, point) => {
    const { locked, proposal, incoming, height, round } = point.live.host.machine.state
    if (field !== `prevote ${height - 1}/${round}` || model !== 'nil' || locked !== undefined) return false
    if (proposal === undefined || incoming?.block === undefined || proposal.polRound < 0) return false
    return point.blockName(incoming.hash) === machine && polkaOf(point, proposal.polRound) === undefined
  },
}

/**
 * `addVote`, `handleTimeout`: before CometBFT leaves a round or commits a block, it precommits. The Quint model may
 * leave a round or decide without its own precommit.
 */
const PRECOMMIT: Rule = {
  name: 'precommits of two thirds end the prevotes',
  explains: ({ field, model, machine }, point) => {
    const { state } = point.live.host.machine
    if (field === 'step') {
      return (
        machine === 'precommit' &&
        ['propose', 'prevote'].includes(model) &&
        majorityOf(point, state.round) !== undefined
      )
    }
    const { kind, height, round } = parseMessageField(field) ?? { kind: '', height: 0, round: 0 }
    if (kind !== 'precommit' || model !== 'none' || machine !== 'nil') return false
    const { lastCommit, votes } = state
    const precommits = height + 1 === state.height ? votes.precommits(round) : lastCommit
    return precommits?.options.round === round && precommits.hasTwoThirdsAny
  },
}

/**
 * `enterCommit`: when the node has two thirds of the precommits for a block, it does not vote any more. The Quint model
 * continues to vote until it has the proposal.
 */
const COMMIT: Rule = {
  name: 'a decision waits for its block in a step of its own',
  explains: ({ field, machine }, point) => {
    const { step, round, decision } = point.live.host.machine.state
    if (step !== RoundStep.commit || decision === undefined) return false
    return field === 'step' ? machine === 'commit' : field === 'round' && round === decision.round
  },
}

/**
 * A consequence of the rule `UNLOCK`: the node has unlocked, so it prevotes the proposed block. The Quint model is
 * still locked, so it prevotes nil.
 */
const FREED: Rule = {
  name: 'who was unlocked prevotes another block',
  explains: ({ field, model, machine }, point) => {
    const { lockedValue, lockedRound } = point.node.es.cs
    const { height, incoming, round } = point.live.host.machine.state
    if (field !== `prevote ${height - 1}/${round}` || model !== 'nil' || incoming?.block === undefined) return false
    if (lockedValue.tag === 'Nil') return false
    const lock = String(lockedValue.value)
    return machine === point.blockName(incoming.hash) && machine !== lock && isFreed(point, lock, lockedRound)
  },
}

/**
 * `addVote`, `enterPrecommit`: a polka for nil or another block in a later round removes the lock. In the Quint model,
 * a lock only changes to another block.
 */
const UNLOCK: Rule = {
  name: 'a later polka unlocks',
  explains: ({ field, model, machine }, point) => {
    if (field !== 'locked' || machine !== 'nil in -1') return false
    const [value = '', since = ''] = model.split(' in ')
    return value !== 'nil' && isFreed(point, value, Number(since))
  },
}

/**
 * A rule about prevotes, such as `LOCKED`, makes the machine and the Quint model prevote different values. As a
 * consequence, the machine's prevote may complete a polka, while the model's prevote completes no polka.
 */
const OWN: Rule = {
  name: 'its other prevote makes a polka',
  explains: ({ field, model, machine }, point) => {
    const { height, round } = point.live.host.machine.state
    const sent = parseMessageField(field)
    const [value = '', since] = machine.split(' in ')
    const at = since === undefined ? (sent?.round ?? round) : Number(since)
    const prevote = point.differences.find((other) => other.field === `prevote ${height - 1}/${at}`)?.machine
    if (prevote === undefined || prevote === 'none' || polkaOf(point, at) !== prevote) return false
    if (field === 'step') return model === 'prevote' && machine === 'precommit'
    return (field === 'locked' || field === 'valid' || sent?.kind === 'precommit') && value === prevote
  },
}

/**
 * The opposite of the rule `OWN`: the machine and the Quint model prevote different values. The model's prevote
 * completes a polka. The machine's prevote completes no polka, so the machine waits for the timeout.
 */
const ALONE: Rule = {
  name: 'its other prevote leaves no polka',
  explains: ({ field, model, machine }, point) => {
    const { height, round, votes } = point.live.host.machine.state
    const here = `${height - 1}/${round}`
    const prevote = point.differences.find((other) => other.field === `prevote ${here}`)?.machine ?? 'none'
    if (prevote === 'none' || polkaOf(point, round) !== undefined) return false
    if (votes.prevotes(round)?.hasTwoThirdsAny !== true) return false
    return (
      machine === (field === 'step' ? 'prevote' : 'none') && (field === `precommit ${here}` || model === 'precommit')
    )
  },
}

export const RULES: readonly Rule[] = [SKIP, LATE, LOCKED, APPEAL, PRECOMMIT, COMMIT, UNLOCK, FREED, OWN, ALONE]

function isFreed(point: Point, value: string, since: number): boolean {
  const { round } = point.live.host.machine.state
  const later = Array.from({ length: Math.max(0, round - since) }, (_, i) => polkaOf(point, since + 1 + i))
  return later.some((polka) => polka !== undefined && polka !== value)
}

function parseMessageField(field: string): { kind: string; height: number; round: number } | undefined {
  const [, kind, height, round] = /^(\w+) (\d+)\/(\d+)$/.exec(field) ?? []
  return kind === undefined ? undefined : { kind, height: Number(height), round: Number(round) }
}

function votesOf({ live }: Point, round: number): VoteSet[] {
  const { votes } = live.host.machine.state
  return [votes.prevotes(round), votes.precommits(round)].filter((set) => set !== undefined)
}

function hasThird(point: Point, round: number): boolean {
  const sets = votesOf(point, round)
  const size = sets[0]?.size ?? 0
  const voters = Array.from({ length: size }, (_, i) => sets.some((set) => set.vote(i) !== undefined))
  return 3 * voters.filter((voted) => voted).length > size
}

/** Returns the value (or `nil`) for which two thirds prevoted in a round. */
function polkaOf({ live, blockName }: Point, round: number): string | undefined {
  const majority = live.host.machine.state.votes.prevotes(round)?.majority
  return majority === undefined ? undefined : blockName(majority.hash)
}

function majorityOf({ live, blockName }: Point, round: number): string | undefined {
  const majority = live.host.machine.state.votes.precommits(round)?.majority
  return majority === undefined ? undefined : blockName(majority.hash)
}
