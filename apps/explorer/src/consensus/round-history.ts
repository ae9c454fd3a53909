import { signal } from '@preact/signals'
import { clock } from '../live/clock.ts'

export type VoteKind = 'prevote' | 'precommit'

/** A vote that the node received. */
export interface SeenVote {
  /** The index of the validator in the validator set. */
  readonly validator: number
  readonly kind: VoteKind
  /** The hash of the block in hex, or only its first digits; empty if the vote is for no block. */
  readonly hash: string
  /**
   * The milliseconds between the first event of the height and this vote. `undefined` for a vote from
   * `dump_consensus_state`, because the time of its arrival is unknown.
   */
  readonly atMs: number | undefined
}

export interface SeenRound {
  readonly round: number
  readonly step: string
  /** The steps that the page has received for this round, in order. A round may skip steps. */
  readonly visited: readonly string[]
  /** The address of the proposer in hex; empty if it is not known. */
  readonly proposer: string
  /** The block of the round; `undefined` until all of its parts have arrived. */
  readonly proposal: { readonly hash: string; readonly parts: number; readonly atMs: number } | undefined
  /**
   * The time at which the node locked a block in this round, in milliseconds after the first event of the height.
   * `undefined` if the node has not locked a block.
   */
  readonly lockMs: number | undefined
  readonly votes: readonly SeenVote[]
}

export interface SeenHeight {
  readonly height: number
  /** The time of the first event of the height, in milliseconds since 1970. */
  readonly beganMs: number
  readonly rounds: readonly SeenRound[]
  /**
   * The time from the first event of the height to the decision of the node, in milliseconds. `undefined` before the
   * decision.
   */
  readonly decidedMs: number | undefined
}

export interface HeightAndRound {
  readonly height: number
  readonly round: number
}

/** The maximum number of heights that the page keeps. */
const MAX_HEIGHTS = 4
/** The maximum number of rounds of each height. */
const MAX_ROUNDS = 8
/** The maximum number of votes that the page keeps for each round. */
const MAX_VOTES = 2000

/** The milliseconds between two updates of the screen. Many validators send hundreds of votes at the same time. */
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

/**
 * True if the page may record this height and round: the page already keeps the height, or the height is above all
 * heights that the page keeps.
 */
function isShown({ height, round }: HeightAndRound): boolean {
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

/**
 * Replaces a recorded round by the result of `edit`. If the page has not recorded this round yet, `edit` receives an
 * empty round, and the page records the result.
 */
export function changeRound(place: HeightAndRound, edit: (found: SeenRound, atMs: number) => SeenRound): void {
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

/** Returns the round with `step` as its present step. */
export function withStep(round: SeenRound, step: string): SeenRound {
  const visited = round.visited.includes(step) ? round.visited : [...round.visited, step]
  return { ...round, step, visited }
}

/**
 * Returns the round with the new vote. If the round already has a vote of the same validator and kind, the old vote is
 * kept. Exception: if the old vote has no time and the new vote has a time, the new vote replaces the old vote.
 */
export function withVote(round: SeenRound, vote: SeenVote): SeenRound {
  const at = round.votes.findIndex(({ validator, kind }) => validator === vote.validator && kind === vote.kind)
  if (at < 0) return round.votes.length >= MAX_VOTES ? round : { ...round, votes: [...round.votes, vote] }
  if (vote.atMs === undefined || round.votes[at]?.atMs !== undefined) return round
  return { ...round, votes: round.votes.with(at, vote) }
}

/**
 * Prepares the list of heights for a new round. If the list has a later height, or a decision at this height, the chain
 * of a devnet has gone back to an earlier block. In this case, removes all recorded heights.
 */
export function beginRound({ height }: HeightAndRound): void {
  const newest = list[0]
  if (newest === undefined || height > newest.height) return
  if (height < newest.height || newest.decidedMs !== undefined) setList([])
}

/** Removes all recorded heights, because the node has replaced its chain. */
export function forgetHeights(): void {
  list = []
  heights.value = list
}
