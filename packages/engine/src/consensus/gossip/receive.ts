import { ACCEPT, ignore, reject, type Verdict } from '@org/p2p'
import { isCodedError, type Metrics } from '@org/runtime'
import { CodedError } from '@org/runtime/errors'
import { equalBlockIds } from '@org/types/block'
import { Message } from '@org/types/consensus'
import { SignedMsgType, validateProposalBlockSize } from '@org/types/vote'
import type { VoteSet } from '../machine/index.ts'
import type { GossipPeer } from './gossip-peer.ts'
import { messageSizeFault } from './message-size.ts'
import { type Majority, voteSetBitsMessage } from './messages.ts'
import { CHANNELS } from './options.ts'
import type { GossipConsensus, View } from './ports.ts'
import { heightFault, validateMessage } from './validate-message.ts'

export interface ReceiveModules {
  readonly consensus: GossipConsensus
  /** False while this node waits for blocks: then only the peers' states are recorded. */
  readonly isActive: () => boolean
  readonly onHeight: (peerId: string) => void
  readonly now: () => bigint
  readonly metrics: Metrics
}

type Sum = NonNullable<Message['sum']>
type Answer = Verdict | Promise<Verdict>

/** Smaller messages are copied: a part of a message that is kept must not keep a larger buffer in memory. */
const COPY_UP_TO = 16_384

const OTHER = ignore('a message of a kind that another channel carries')

function decode(bytes: Uint8Array): Sum {
  const fault = messageSizeFault(bytes)
  if (fault !== undefined) throw new CodedError('CONSENSUS_BAD_MESSAGE', fault)
  const { sum } = Message.decode(bytes.length <= COPY_UP_TO ? bytes.slice() : bytes)
  if (sum === undefined) throw new CodedError('CONSENSUS_BAD_MESSAGE', 'consensus: message is nil')
  validateMessage(sum)
  return sum
}

function votesFor({ votes }: View, { round, type }: Pick<Majority, 'round' | 'type'>): VoteSet | undefined {
  return type === SignedMsgType.prevote ? votes.prevotes(round) : votes.precommits(round)
}

/**
 * Handles messages of peers: records what they have, wakes the peers that may lack something now, and passes on the
 * inputs of consensus.
 */
export function createReceive(
  modules: ReceiveModules,
): (from: GossipPeer, channel: number, bytes: Uint8Array) => Answer {
  const { consensus, isActive, onHeight, now } = modules
  const blockParts = modules.metrics.counter({
    name: 'consensus_block_parts',
    help: 'Number of block parts transmitted by each peer.',
    labels: ['peer_id'],
  })

  function receiveState(from: GossipPeer, sum: Sum): Answer {
    const { state } = from
    switch (sum.case) {
      case 'newRoundStep': {
        const fault = heightFault(sum.value, consensus.roundState().chain.initialHeight)
        if (fault !== undefined) return reject(fault)
        const { height } = state
        state.applyNewRoundStep(sum.value, now())
        if (state.height !== height) onHeight(from.peer.id)
        from.wake()
        return ACCEPT
      }
      case 'newValidBlock':
        state.applyNewValidBlock(sum.value)
        from.wake()
        return ACCEPT
      case 'hasVote':
        state.applyHasVote(sum.value)
        return ACCEPT
      case 'voteSetMaj23':
        return receiveMaj23(from, sum.value)
      default:
        return OTHER
    }
  }

  async function receiveMaj23({ peer }: GossipPeer, claim: Majority): Promise<Verdict> {
    const own = consensus.roundState()
    if (own.height !== claim.height) return ignore('the message is for another height')
    const { height, round, type, blockId } = claim
    const claimed = votesFor(own, claim)?.peerMaj23s.get(peer.id)
    if (claimed !== undefined && !equalBlockIds(claimed, blockId)) {
      return reject('the peer claims +2/3 for two different blocks in one round')
    }
    if (isActive()) await consensus.receiveMaj23({ peerId: peer.id, height, round, voteType: type, blockId })
    peer.trySend(CHANNELS.voteSetBits, voteSetBitsMessage(claim, votesFor(own, claim)))
    return ACCEPT
  }

  async function receiveData(from: GossipPeer, sum: Sum): Promise<Verdict> {
    const { peer, state } = from
    switch (sum.case) {
      case 'proposal': {
        const { proposal } = sum.value
        validateProposalBlockSize(proposal, consensus.roundState().chain.consensusParams.block.maxBytes)
        state.setHasProposal(proposal)
        from.wake()
        await consensus.receive(peer.id, { kind: 'proposal', proposal })
        return ACCEPT
      }
      case 'proposalPol':
        state.applyProposalPol(sum.value)
        from.wake()
        return ACCEPT
      case 'blockPart': {
        const { height, round, part } = sum.value
        state.setHasPart(height, round, part.index)
        blockParts.add(1, { peer_id: peer.id })
        await consensus.receive(peer.id, { kind: 'blockPart', height, round, part })
        return ACCEPT
      }
      default:
        return OTHER
    }
  }

  async function receiveVote({ peer, state }: GossipPeer, sum: Sum): Promise<Verdict> {
    if (sum.case !== 'vote' || sum.value.vote === undefined) return OTHER
    const { vote } = sum.value
    const { height, validators, lastCommit } = consensus.roundState()
    state.ensureVoteBits(height, validators.validators.length)
    state.ensureVoteBits(height - 1, lastCommit?.size ?? 0)
    state.noteSent(vote)
    await consensus.receive(peer.id, { kind: 'vote', vote })
    return ACCEPT
  }

  function receiveBits({ state, wake }: GossipPeer, sum: Sum): Verdict {
    if (sum.case !== 'voteSetBits') return OTHER
    const own = consensus.roundState()
    const ours = own.height === sum.value.height ? votesFor(own, sum.value)?.bitsFor(sum.value.blockId) : undefined
    state.applyVoteSetBits(sum.value, ours)
    wake()
    return ACCEPT
  }

  function receive(from: GossipPeer, channel: number, sum: Sum): Answer {
    if (channel === CHANNELS.state) return receiveState(from, sum)
    if (!isActive()) return ignore('this node is still syncing blocks')
    if (channel === CHANNELS.data) return receiveData(from, sum)
    return channel === CHANNELS.vote ? receiveVote(from, sum) : receiveBits(from, sum)
  }

  return (from, channel, bytes) => {
    try {
      const answer = receive(from, channel, decode(bytes))
      return answer instanceof Promise ? answer.catch(faulty) : answer
    } catch (error) {
      return faulty(error)
    }
  }
}

/** As in the reference, a message that the reference would refuse ends the connection. */
function faulty(error: unknown): Verdict {
  return reject(isCodedError(error) ? `${error.code}: ${error.message}` : (error as Error).message)
}
