import { Proposal, SignedMsgType, Vote } from '@org/types'
import {
  type ConsensusMessage,
  RoundStep,
  type Timeout,
  type UntimedInput,
} from '../../../src/consensus/machine/index.ts'
import { type Chain, NOW } from './chain.ts'
import { type Host, type HostOptions, keyOf, startHost } from './host.ts'
import type { ModelNode, ModelProposal, ModelVote } from './trace.ts'

/**
 * Receives the inputs that a trace has for a validator. The methods take the messages of the Quint model, whose heights
 * begin at 0.
 */
export interface LiveValidator {
  readonly host: Host
  readonly start: (height: number) => void
  readonly receiveVote: (vote: ModelVote) => void
  /**
   * Gives the validator a certificate: a list of votes that its sender claims to be +2/3. The validator receives this
   * claim first, and then the votes. After the claim, the validator counts a vote of an equivocating validator even if
   * it has received another vote of that validator before.
   */
  readonly receiveCertificate: (votes: readonly ModelVote[]) => void
  /**
   * Gives the validator a proposal when the validator reaches the round of the proposal, and the parts of the proposed
   * block when the validator needs them. In a real network, gossip does the same.
   */
  readonly receiveProposal: (proposal: ModelProposal) => void
  /**
   * Fires a timeout of the kind `kind` of the Quint model. If the machine has not requested this timeout yet, the
   * timeout fires as soon as the machine requests it.
   */
  readonly fire: (kind: string, at: { readonly height: number; readonly round: number }) => void
  /**
   * Fires timeouts that the machine has requested: those at the height of `place` that belong to a round or step before
   * `place`. `place` is a height, round and step of the Quint model.
   */
  readonly passTo: (place: ModelNode['es']['cs']) => void
  /**
   * The heights and rounds, such as `0/1`, in which the machine was late. The trace gave the validator its own vote,
   * but the machine of this validator had not sent the vote yet.
   */
  readonly late: ReadonlySet<string>
}

const STEP_OF_TIMEOUT: Readonly<Record<string, RoundStep>> = {
  NewHeight: RoundStep.newHeight,
  ProposeTimeout: RoundStep.propose,
  PrevoteTimeout: RoundStep.prevoteWait,
  PrecommitTimeout: RoundStep.precommitWait,
}

/** Maps each step of the Quint model that can end with a timeout to the machine's step with the same timeout. */
const TIMEOUT_IN_STEP: Readonly<Record<string, RoundStep>> = {
  ProposeStep: RoundStep.propose,
  PrevoteStep: RoundStep.prevoteWait,
  PrecommitStep: RoundStep.precommitWait,
}

export function startValidator(chain: Chain, options: HostOptions): LiveValidator {
  const host = startHost(chain, options)
  const { state } = host.machine
  const self = chain.member(options.name)
  const late = new Set<string>()
  const fired = new Set<string>()
  const used = new Set<unknown>()
  const proposals: ModelProposal[] = []
  const due = new Set<string>()
  let certificates = 0

  /**
   * Feeds an input to the machine. Then feeds the earlier inputs that the machine could not use at first and can use
   * now.
   */
  function feed(input: UntimedInput): void {
    for (let next: UntimedInput | undefined = input; next !== undefined; next = waiting()) host.feed(next)
  }

  function feedWaiting(): void {
    const next = waiting()
    if (next !== undefined) feed(next)
  }

  function waiting(): UntimedInput | undefined {
    const received = once([...due].map((key) => host.own.get(key)))
    if (received !== undefined) return inputOf({ kind: 'vote', vote: received }, '')
    const timeout = once(host.timeouts.filter((asked) => fired.has(timerKey(asked))))
    if (timeout !== undefined) return { type: 'timeout', timeout }
    const current = proposals.filter(({ height, round }) => height + 1 === state.height && round === state.round)
    const proposal = state.step >= RoundStep.propose && state.proposal === undefined ? once(current) : undefined
    return proposal === undefined ? partOfBlock() : inputOf(toProposal(chain, proposal), proposal.srcAddress)
  }

  /**
   * Returns the first of the `candidates` that is not `undefined` and was not returned before. So the machine receives
   * each of them only once.
   */
  function once<T>(candidates: readonly (T | undefined)[]): T | undefined {
    const found = candidates.find((one) => one !== undefined && !used.has(one))
    used.add(found)
    return found
  }

  function partOfBlock(): UntimedInput | undefined {
    const { height, round } = state
    const proposalParts = state.incoming?.parts
    if (proposalParts === undefined || proposalParts.isComplete) return undefined
    const blocks = proposals.map((proposal) => chain.block(proposal.proposal, proposal.height + 1))
    const part = blocks.find(({ parts }) => proposalParts.hasHeader(parts.header))?.parts.parts[0]
    return part === undefined ? undefined : inputOf({ kind: 'blockPart', height, round, part }, 'peer')
  }

  /**
   * Passes a vote of the trace to the machine. The validator's own vote is not taken from the trace, because the
   * machine may have voted differently from the model. Instead the machine receives the vote that it sent at the same
   * height and round. If the machine has not sent this vote yet, it receives the vote after sending it.
   */
  function receive(vote: Vote, peerId: string): void {
    if (vote.validatorIndex !== self.index) {
      feed(inputOf({ kind: 'vote', vote }, peerId))
    } else if (vote.height === state.height) {
      due.add(keyOf(vote))
      if (!host.own.has(keyOf(vote))) late.add(`${vote.height - 1}/${vote.round}`)
      feedWaiting()
    }
  }

  function fire(timer: string): void {
    fired.add(timer)
    feedWaiting()
  }

  return {
    host,
    start: (height) => fire(`${height + 1}/0/${RoundStep.newHeight}`),
    receiveVote: (vote) => receive(toVote(chain, vote), vote.srcAddress),
    receiveCertificate: (votes) => {
      const peerId = `certificate ${certificates++}`
      for (const [i, given] of votes.entries()) {
        const vote = toVote(chain, given)
        const { height, round, type: voteType, blockId } = vote
        if (i === 0) feed({ type: 'peerMaj23', peerId, height, round, voteType, blockId })
        receive(vote, peerId)
      }
    },
    receiveProposal: (proposal) => {
      proposals.push(proposal)
      feedWaiting()
    },
    fire: (kind, { height, round }) => fire(`${height + 1}/${round}/${STEP_OF_TIMEOUT[kind]}`),
    passTo: ({ height, round, step }) => {
      const own = TIMEOUT_IN_STEP[step.tag] ?? 0
      for (const asked of host.timeouts) {
        const isPast = asked.round < round || (asked.round === round && asked.step < own)
        if (asked.height === height + 1 && isPast) fire(timerKey(asked))
      }
    },
    late,
  }
}

function inputOf(message: ConsensusMessage, peerId: string): UntimedInput {
  return { type: 'message', peerId, message }
}

function timerKey({ height, round, step }: Timeout): string {
  return `${height}/${round}/${step}`
}

function toProposal(
  chain: Chain,
  { srcAddress, height, round, proposal, validRound }: ModelProposal,
): ConsensusMessage {
  const { blockId } = chain.block(proposal, height + 1)
  const place = { type: SignedMsgType.proposal, height: height + 1, round, polRound: validRound }
  const { publicKey } = chain.member(srcAddress)
  const made = Proposal.create({ ...place, blockId, timestamp: NOW })
  return { kind: 'proposal', proposal: { ...made, signature: publicKey.bytes } }
}

function toVote(chain: Chain, { voteType, srcAddress, height, round, valueId }: ModelVote): Vote {
  const { address, index, publicKey } = chain.member(srcAddress)
  const type = voteType.tag === 'Prevote' ? SignedMsgType.prevote : SignedMsgType.precommit
  const signer = { validatorAddress: address, validatorIndex: index, timestamp: NOW }
  const block = valueId.tag === 'Val' ? { blockId: chain.block(String(valueId.value), height + 1).blockId } : {}
  return { ...Vote.create({ type, height: height + 1, round, ...signer, ...block }), signature: publicKey.bytes }
}
