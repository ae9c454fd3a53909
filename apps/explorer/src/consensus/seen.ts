import { signal } from '@preact/signals'
import { clock } from '../live/clock.ts'

export type VoteKind = 'prevote' | 'precommit'

/** A vote that the node received. */
export interface SeenVote {
  /** The index of the validator in the validator set. */
  readonly validator: number
  readonly kind: VoteKind
  /** The hash of the block in hex, or its first digits; empty for a vote for no block. */
  readonly hash: string
  /** The time after the first event of the height, in milliseconds; `undefined` for a vote from before the page. */
  readonly atMs: number | undefined
}

export interface SeenRound {
  readonly round: number
  readonly step: string
  /** The steps that the page received, in order. A round may skip steps. */
  readonly visited: readonly string[]
  /** The address of the proposer in hex; empty if it is not known. */
  readonly proposer: string
  /** The block, after all of its parts have arrived. */
  readonly proposal: { readonly hash: string; readonly parts: number; readonly atMs: number } | undefined
  /** The time at which the node locked a block. */
  readonly lockMs: number | undefined
  readonly votes: readonly SeenVote[]
}

export interface SeenHeight {
  readonly height: number
  /** The time of the first event of the height, in milliseconds since 1970. */
  readonly beganMs: number
  readonly rounds: readonly SeenRound[]
  /** The time from the first event to the decision of the node, in milliseconds. */
  readonly decidedMs: number | undefined
}

export interface Place {
  readonly height: number
  readonly round: number
}

/** The maximum number of heights that the page keeps. */
const MAX_HEIGHTS = 4
/** The maximum number of rounds of each height. */
const MAX_ROUNDS = 8
/** The maximum number of votes of each round. */
const MAX_VOTES = 2000

/** The time between two updates of the screen. A set of many validators sends hundreds of votes at once. */
const SHOW_MS = 40

/** The last heights, the newest first, as the screen shows them. */
export const heights = signal<readonly SeenHeight[]>([])
let list: readonly SeenHeight[] = []
let isScheduled = false

function setList(next: readonly SeenHeight[]): void {
  list = next
  if (isScheduled) return
  isScheduled = true
  clock.after(SHOW_MS, () => {
    isScheduled = false
    heights.value = list
  })
}

const nowMs = (): number => Number(clock.now() / 1_000_000n)

const NEW_ROUND = {
  proposer: '',
  proposal: undefined,
  lockMs: undefined,
  votes: [],
  visited: [],
  step: 'RoundStepNewRound',
} as const

/** Whether the height is a new one, or one of the heights that the page keeps. */
function isShown({ height, round }: Place): boolean {
  if (!Number.isSafeInteger(height) || !Number.isSafeInteger(round)) return false
  return height >= (list[0]?.height ?? 0) || list.some((seen) => seen.height === height)
}

function changedHeight(seen: SeenHeight, round: SeenRound, atMs: number): SeenHeight {
  const rounds = [...seen.rounds.filter((one) => one.round !== round.round), round]
  const isDecided = round.step === 'RoundStepCommit'
  return {
    ...seen,
    rounds: rounds.sort((a, b) => a.round - b.round).slice(-MAX_ROUNDS),
    decidedMs: seen.decidedMs ?? (isDecided ? atMs : undefined),
  }
}

/** Changes the round at this height and number. Adds the round if it is new. */
export function changeRound(place: Place, edit: (found: SeenRound, atMs: number) => SeenRound): void {
  if (!isShown(place)) return
  const { height, round } = place
  const now = nowMs()
  const seen = list.find((one) => one.height === height) ?? { height, beganMs: now, rounds: [], decidedMs: undefined }
  const before = seen.rounds.find((one) => one.round === round) ?? { ...NEW_ROUND, round }
  const atMs = now - seen.beganMs
  const edited = edit(before, atMs)
  if (edited === before && seen.rounds.includes(before)) return
  const others = list.filter((one) => one.height !== height)
  setList([changedHeight(seen, edited, atMs), ...others].sort((a, b) => b.height - a.height).slice(0, MAX_HEIGHTS))
}

/** Returns the round after it has entered a step. */
export function withStep(round: SeenRound, step: string): SeenRound {
  const visited = round.visited.includes(step) ? round.visited : [...round.visited, step]
  return { ...round, step, visited }
}

/**
 * Returns the round with a further vote. A second vote of a validator with the same kind is ignored, unless only the
 * second vote has a time.
 */
export function withVote(round: SeenRound, vote: SeenVote): SeenRound {
  const at = round.votes.findIndex(({ validator, kind }) => validator === vote.validator && kind === vote.kind)
  if (at < 0) return round.votes.length >= MAX_VOTES ? round : { ...round, votes: [...round.votes, vote] }
  if (vote.atMs === undefined || round.votes[at]?.atMs !== undefined) return round
  return { ...round, votes: round.votes.with(at, vote) }
}

/**
 * Begins a round. A round at or below a decided height means that the chain of a devnet has gone back: then all
 * recorded heights are removed.
 */
export function beginRound({ height }: Place): void {
  const newest = list[0]
  if (newest === undefined || height > newest.height) return
  if (height < newest.height || newest.decidedMs !== undefined) setList([])
}
