import { clock } from '../live/clock.ts'
import { client } from '../live/node.ts'
import { beginRound, changeRound, type HeightAndRound, type VoteKind, withStep, withVote } from './round-history.ts'

interface RoundValue {
  readonly height?: string
  readonly round?: number
  readonly step?: string
  readonly proposer?: { readonly address?: string }
  readonly block_id?: { readonly hash?: string; readonly parts?: { readonly total?: number } }
}

interface VoteValue {
  readonly Vote?: {
    readonly type?: number
    readonly height?: string
    readonly round?: number
    readonly block_id?: { readonly hash?: string }
    readonly validator_index?: number
  }
}

const PREVOTE = 1
/** The time in milliseconds between the end of a subscription and the next attempt to subscribe. */
const PAUSE_MS = 1000

const heightAndRoundOf = ({ height, round }: Pick<RoundValue, 'height' | 'round'>): HeightAndRound => ({
  height: Number(height),
  round: Number(round),
})

/** Records the step of an event. Only the event of a new round names the proposer; this event also begins the round. */
function onStep(value: RoundValue): void {
  const { step = '', proposer } = value
  // In this step the node waits for the next height, so the step belongs to no round.
  if (step === 'RoundStepNewHeight') return
  if (proposer !== undefined) beginRound(heightAndRoundOf(value))
  changeRound(heightAndRoundOf(value), (round) => ({
    ...withStep(round, step),
    proposer: String(proposer?.address ?? round.proposer),
  }))
}

function onProposal(value: RoundValue): void {
  const { block_id: id } = value
  changeRound(heightAndRoundOf(value), (round, atMs) => ({
    ...round,
    proposal: { hash: String(id?.hash ?? ''), parts: Number(id?.parts?.total ?? 0), atMs },
  }))
}

function onLock(value: RoundValue): void {
  changeRound(heightAndRoundOf(value), (round, atMs) => ({ ...round, lockMs: round.lockMs ?? atMs }))
}

function onVote({ Vote: vote }: VoteValue): void {
  if (vote === undefined) return
  const kind: VoteKind = vote.type === PREVOTE ? 'prevote' : 'precommit'
  const hash = String(vote.block_id?.hash ?? '')
  changeRound(heightAndRoundOf(vote), (round, atMs) =>
    withVote(round, { validator: Number(vote.validator_index), kind, hash, atMs }),
  )
}

/**
 * The queries of the four subscriptions, each with the function that records the events. The page also subscribes to
 * new headers. By default, a node allows no more than these five subscriptions on one connection.
 */
const HANDLERS: readonly (readonly [query: string, handle: (value: never) => void])[] = [
  // This query matches the events NewRound and NewRoundStep.
  ["tm.event CONTAINS 'NewRound'", onStep],
  ["tm.event='CompleteProposal'", onProposal],
  ["tm.event='Lock'", onLock],
  ["tm.event='Vote'", onVote],
]

async function followQuery(query: string, handle: (value: never) => void, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    try {
      for await (const { data } of client.subscribe(query, { signal: stop })) handle(data.value as never)
    } catch {
      // The subscription has ended, for example because the user has left the screen, or because the node does not
      // have these events. Without events, the screen shows only the answers of `dump_consensus_state`.
    }
    await clock.sleep(PAUSE_MS, stop).catch(() => undefined)
  }
}

/** Subscribes to the steps and votes of consensus until the signal aborts. */
export function followConsensus(stop: AbortSignal): void {
  for (const [query, handle] of HANDLERS) void followQuery(query, handle, stop)
}
