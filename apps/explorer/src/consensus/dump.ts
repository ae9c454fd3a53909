import type { RpcMethods } from '@org/rpc/client'
import { changeRound, type HeightAndRound, type SeenVote, type VoteKind, withStep, withVote } from './round-history.ts'

/** The maximum number of peers whose state is read from one answer. */
const MAX_PEERS = 50
/** The maximum number of rounds whose votes are read from one answer: the last ones. */
const MAX_ROUNDS = 20
/** The maximum number of votes of each kind that are read for each round. */
const MAX_VOTES = 1000

const STEPS = [
  '',
  'RoundStepNewHeight',
  'RoundStepNewRound',
  'RoundStepPropose',
  'RoundStepPrevote',
  'RoundStepPrevoteWait',
  'RoundStepPrecommit',
  'RoundStepPrecommitWait',
  'RoundStepCommit',
] as const

interface DumpedVotes {
  readonly round?: number
  readonly prevotes?: readonly string[]
  readonly precommits?: readonly string[]
}

interface DumpedPeer {
  readonly round_state?: { readonly height?: string; readonly round?: number; readonly step?: number }
}

interface DumpedState {
  readonly height?: string
  readonly round?: number
  readonly step?: number
  readonly proposal_block_parts?: { readonly 'count/total'?: string; readonly parts_bit_array?: string } | null
  readonly locked_round?: number
  readonly valid_round?: number
  readonly validators?: { readonly proposer?: { readonly address?: string } }
  readonly votes?: readonly DumpedVotes[]
}

/** The votes of one round. */
interface RoundVotes {
  readonly round: number
  readonly votes: readonly SeenVote[]
}

/** The state of consensus in an answer of `dump_consensus_state`. */
export interface Dump {
  readonly place: HeightAndRound
  readonly step: string
  readonly proposer: string
  /**
   * One item for each part of the block: true if the node has received the part. Empty if the node expects no block.
   */
  readonly parts: readonly boolean[]
  /** The round in which the node locked a block; -1 if the node has locked no block. */
  readonly lockedRound: number
  /** The round of the valid block; -1 if the node has no valid block. */
  readonly validRound: number
  readonly rounds: readonly RoundVotes[]
  readonly peers: readonly { readonly address: string; readonly place: string }[]
}

const stepName = (step: unknown): string => STEPS[Number(step)] ?? ''

/**
 * Returns one item for each part of the block: true if the node has received the part. The input is an answer such as
 * `{"count/total": "1/2", "parts_bit_array": "x_"}`. If the bit array is missing, the answer has only the number `n` of
 * received parts. Then the first `n` items are true.
 */
function partsOf({ proposal_block_parts: parts }: DumpedState): readonly boolean[] {
  const [count = 0, total = 0] = (parts?.['count/total'] ?? '').split('/').map(Number)
  const text = parts?.parts_bit_array
  // The value of `parts_bit_array` may also have the form `BA{2:x_}`.
  const bits = text?.slice(text.indexOf(':') + 1)
  return Array.from({ length: Math.min(2000, total || 0) }, (_, i) =>
    bits === undefined ? i < count : bits[i] === 'x',
  )
}

/**
 * Calls `dump_consensus_state`, and returns the state of consensus from the answer. Rejects if a member of the answer
 * has a wrong type.
 */
export async function loadDump(client: RpcMethods): Promise<Dump> {
  const { roundState, peers } = await client.dumpConsensusState()
  const own = (roundState ?? {}) as DumpedState
  return {
    place: { height: Number(own.height), round: Number(own.round) },
    step: stepName(own.step),
    proposer: String(own.validators?.proposer?.address ?? ''),
    parts: partsOf(own),
    lockedRound: Number(own.locked_round ?? -1),
    validRound: Number(own.valid_round ?? -1),
    rounds: (own.votes ?? []).slice(-MAX_ROUNDS).map(({ round = 0, prevotes, precommits }) => ({
      round: Number(round),
      votes: [...votesOf(prevotes, 'prevote'), ...votesOf(precommits, 'precommit')],
    })),
    peers: peers.slice(0, MAX_PEERS).map(({ nodeAddress, peerState }) => {
      const { height = '?', round = 0, step = 0 } = (peerState as DumpedPeer | null)?.round_state ?? {}
      return { address: nodeAddress, place: `${height}/${round}/${stepText(stepName(step))}` }
    }),
  }
}

/** Returns a step such as `RoundStepPrevoteWait` as `prevote wait`. */
export const stepText = (step: string): string =>
  step
    .replace('RoundStep', '')
    .replace(/(?!^)[A-Z]/g, ' $&')
    .toLowerCase()

/**
 * Matches the text of a vote in an answer of `dump_consensus_state`, such as `Vote{0:46F0D4BEDF33
 * 3/00/SIGNED_MSG_TYPE_PREVOTE(Prevote) 65FE30ABB44C …}`.
 */
const VOTE = /^Vote\{(\d+):[\dA-F]+ \d+\/\d+\/\S+ ([\dA-F]{12}) /
const NO_BLOCK = '000000000000'

function votesOf(texts: readonly string[] = [], kind: VoteKind): readonly SeenVote[] {
  return texts.slice(0, MAX_VOTES).flatMap((text) => {
    const [, validator, hash = ''] = VOTE.exec(String(text).slice(0, 400)) ?? []
    if (validator === undefined) return []
    return [{ validator: Number(validator), kind, hash: hash === NO_BLOCK ? '' : hash, atMs: undefined }]
  })
}

/**
 * Adds the step and the votes in an answer of `dump_consensus_state` to the recorded heights. Events alone are not
 * enough: the page received no events before it was opened, and a chain that has stopped sends no events.
 */
export function addDump({ place, step, proposer, lockedRound, rounds }: Dump): void {
  // The node is in no round: it waits for the next height, or its step is not known.
  if (step === '' || step === 'RoundStepNewHeight') return
  for (const { round: number, votes } of rounds) {
    if (number > place.round) continue
    changeRound({ height: place.height, round: number }, (round, atMs) => {
      const isNow = number === place.round
      const seen = votes.reduce(withVote, round)
      if (!isNow && seen === round) return round
      return {
        ...(isNow && seen.step !== step ? withStep(seen, step) : seen),
        proposer: isNow && seen.proposer === '' ? proposer : seen.proposer,
        lockMs: number === lockedRound ? (seen.lockMs ?? atMs) : seen.lockMs,
      }
    })
  }
}
