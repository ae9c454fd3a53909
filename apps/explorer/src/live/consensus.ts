import { signal } from '@preact/signals'
import { clock } from './clock.ts'
import { client } from './node.ts'

export type VoteKind = 'prevote' | 'precommit'

/** A vote as the node received it. Times are milliseconds after the begin of the height. */
export interface SeenVote {
  readonly validator: number
  readonly address: string
  readonly kind: VoteKind
  /** The hash of the block in hex; empty for a vote for no block. */
  readonly hash: string
  readonly atMs: number
}

export interface SeenRound {
  readonly round: number
  readonly proposal: { readonly hash: string; readonly parts: number; readonly atMs: number } | undefined
  /** When the node locked a block. */
  readonly lockMs: number | undefined
  readonly votes: readonly SeenVote[]
  readonly step: string
}

export interface SeenHeight {
  readonly height: number
  /** Milliseconds since 1970 at the first event. */
  readonly beganMs: number
  readonly rounds: readonly SeenRound[]
  /** Milliseconds after the begin at which the node decided. */
  readonly decidedMs: number | undefined
}

/** Heights that the page keeps, rounds of each, and votes of each round. */
const MAX_HEIGHTS = 4
const MAX_ROUNDS = 8
const MAX_VOTES = 1000

/** The last heights, the newest first. */
export const heights = signal<readonly SeenHeight[]>([])

const nowMs = (): number => Number(clock.now() / 1_000_000n)

const NEW_ROUND = { proposal: undefined, lockMs: undefined, votes: [], step: 'RoundStepNewRound' } as const

interface Place {
  readonly height: number
  readonly round: number
}

/** Changes the round at a place, which is made if it is new. Places below the kept heights are ignored. */
function change({ height, round }: Place, edit: (found: SeenRound, atMs: number) => SeenRound): void {
  const now = nowMs()
  const list = heights.value
  const newest = list[0]?.height ?? 0
  if (
    !Number.isSafeInteger(height) ||
    !Number.isSafeInteger(round) ||
    (height < newest && !list.some((seen) => seen.height === height))
  )
    return
  const seen: SeenHeight = list.find((one) => one.height === height) ?? {
    height,
    beganMs: now,
    rounds: [],
    decidedMs: undefined,
  }
  const before = seen.rounds.find((one) => one.round === round) ?? { ...NEW_ROUND, round }
  const edited = edit(before, now - seen.beganMs)
  const rounds = [...seen.rounds.filter((one) => one.round !== round), edited].sort((a, b) => a.round - b.round)
  const decided =
    edited.step === 'RoundStepCommit' && seen.decidedMs === undefined ? now - seen.beganMs : seen.decidedMs
  const changed: SeenHeight = { ...seen, rounds: rounds.slice(-MAX_ROUNDS), decidedMs: decided }
  heights.value = [changed, ...list.filter((one) => one.height !== height)]
    .sort((a, b) => b.height - a.height)
    .slice(0, MAX_HEIGHTS)
}

interface RoundValue {
  readonly height?: string
  readonly round?: number
  readonly step?: string
  readonly block_id?: { readonly hash?: string; readonly parts?: { readonly total?: number } }
}

interface VoteValue {
  readonly Vote?: {
    readonly type?: number
    readonly height?: string
    readonly round?: number
    readonly block_id?: { readonly hash?: string }
    readonly validator_address?: string
    readonly validator_index?: number
  }
}

const placeOf = ({ height, round }: RoundValue): Place => ({ height: Number(height), round: Number(round) })

function onStep(value: RoundValue): void {
  const { step = '' } = value
  // This step begins the wait for the next height.
  if (step === 'RoundStepNewHeight') return
  change(placeOf(value), (round) => ({ ...round, step }))
}

function onProposal(value: RoundValue): void {
  const { block_id: id } = value
  change(placeOf(value), (round, atMs) => ({
    ...round,
    proposal: { hash: String(id?.hash ?? ''), parts: Number(id?.parts?.total ?? 0), atMs },
  }))
}

function onLock(value: RoundValue): void {
  change(placeOf(value), (round, atMs) => ({ ...round, lockMs: round.lockMs ?? atMs }))
}

function onVote({ Vote: vote }: VoteValue): void {
  if (vote === undefined) return
  const kind: VoteKind = vote.type === 1 ? 'prevote' : 'precommit'
  const validator = Number(vote.validator_index)
  change(placeOf(vote), (round, atMs) => {
    const isOld = round.votes.some((one) => one.validator === validator && one.kind === kind)
    if (isOld || round.votes.length >= MAX_VOTES) return round
    const hash = String(vote.block_id?.hash ?? '')
    return {
      ...round,
      votes: [...round.votes, { validator, address: String(vote.validator_address), kind, hash, atMs }],
    }
  })
}

const HANDLERS: Readonly<Record<string, (value: never) => void>> = {
  NewRoundStep: onStep,
  CompleteProposal: onProposal,
  Lock: onLock,
  Vote: onVote,
}

/** Follows the steps and votes of consensus until the signal aborts. With new headers, these are the five subscriptions that a node allows. */
export function followConsensus(stop: AbortSignal): void {
  for (const [name, handle] of Object.entries(HANDLERS)) {
    void (async () => {
      while (!stop.aborted) {
        try {
          for await (const { data } of client.subscribe(`tm.event='${name}'`, { signal: stop }))
            handle(data.value as never)
        } catch {
          // The page has left the screen, or the node has no such events: the answer of consensus_state is still shown.
        }
        await clock.sleep(2000, stop).catch(() => undefined)
      }
    })()
  }
}
