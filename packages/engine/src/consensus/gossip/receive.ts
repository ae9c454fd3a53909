import { ACCEPT, ignore, MESSAGE_FAULTS, type ProtocolHandlers, reject, type Verdict } from '@org/p2p'
import type { Metrics } from '@org/runtime'
import { CodedError } from '@org/runtime/errors'
import { equalBlockIds, SignedMsgType, validateProposalBlockSize } from '@org/types'
import { HASH_SIZE } from '@org/types/crypto'
import { ConsensusMessage } from '@org/types/messages'
import { compactCopy } from '@org/types/schema'
import type { VoteSet } from '../machine/index.ts'
import type { GossipPeer } from './gossip-peer.ts'
import { isVoteTooLong, messageSizeFault } from './message-size.ts'
import { type Majority, voteSetBitsMessage } from './messages.ts'
import { CHANNELS } from './options.ts'
import type { GossipConsensus, View } from './ports.ts'
import { heightFault, validateMessage } from './validate-message.ts'

export interface ReceiveModules {
  readonly consensus: GossipConsensus
  /** Returns false during block sync. Then this node only records the states of the peers. */
  readonly isActive: () => boolean
  readonly onHeight: (peerId: string) => void
  readonly now: () => bigint
  readonly metrics: Metrics
}

export type Sum = NonNullable<ConsensusMessage['sum']>
type Answer = Verdict | Promise<Verdict>
type Value<Kind extends Sum['case']> = Extract<Sum, { readonly case: Kind }>['value']

/** The codes of verdicts on messages of consensus. */
const GOSSIP_FAULTS = {
  badMessage: 'CONSENSUS_BAD_MESSAGE',
  /** The message is for another height than this node's. */
  otherHeight: 'CONSENSUS_OTHER_HEIGHT',
  /** The chain cannot have the reported height, or cannot have the reported last commit round at this height. */
  badHeight: 'CONSENSUS_BAD_HEIGHT',
  /** The peer claimed +2/3 for two different blocks in one round. */
  conflictingMajorities: 'CONSENSUS_CONFLICTING_MAJORITIES',
  /** This node does not take part in consensus yet. */
  notActive: 'CONSENSUS_NOT_ACTIVE',
  /** The vote does not fit into the WAL. */
  longVote: 'CONSENSUS_LONG_VOTE',
} as const

/**
 * A message of at most this many bytes is copied before the decoding. Decoded block parts are views of the message's
 * bytes. Without the copy, a stored block part would keep the whole receive buffer in memory.
 */
const COPY_UP_TO = 16_384
/** The bytes that a message needs in addition to a vote extension, or to a block part and the hashes of its proof. */
const OTHER_BYTES = 512

/**
 * Returns about how many bytes a message needs on the wire. Returns `undefined` for a kind of message whose byte fields
 * this node does not keep in memory.
 */
function neededSize(sum: Sum): number | undefined {
  switch (sum.case) {
    case 'vote':
      return OTHER_BYTES + (sum.value.vote?.extension.length ?? 0)
    case 'blockPart':
      return OTHER_BYTES + sum.value.part.bytes.length + HASH_SIZE * sum.value.part.proof.aunts.length
    case 'proposal':
    case 'voteSetMaj23':
      return OTHER_BYTES
    default:
      return undefined
  }
}

/**
 * Returns the message, or a copy of it if the received bytes are more than twice the bytes that the message needs. The
 * decoder ignores unknown and repeated fields, so a peer can add any number of worthless bytes to a small vote. The
 * decoded vote is a view of all received bytes. Without the copy, each of these votes in a queue or a vote set would
 * keep up to a megabyte in memory, which no limit counts.
 */
function withoutWorthlessBytes(sum: Sum, size: number): Sum {
  const needed = neededSize(sum)
  if (needed === undefined || size <= 2 * needed) return sum
  return compactCopy(ConsensusMessage, { sum }).sum ?? sum
}

/** Returns a verdict if the length of a message is enough to ignore it; otherwise `undefined`. */
export function refuseByLength(_from: GossipPeer, bytes: Uint8Array): Verdict | undefined {
  if (!isVoteTooLong(bytes)) return undefined
  return ignore(GOSSIP_FAULTS.longVote, `the vote has ${bytes.length} bytes, and its record does not fit into the WAL`)
}

/** Reads a message. Throws `CONSENSUS_BAD_MESSAGE`, a `SchemaError`, or the error of an invalid vote or block id. */
export function decodeMessage(bytes: Uint8Array): Sum {
  const fault = messageSizeFault(bytes)
  if (fault !== undefined) throw new CodedError(GOSSIP_FAULTS.badMessage, fault)
  const { sum } = ConsensusMessage.decode(bytes.length <= COPY_UP_TO ? bytes.slice() : bytes)
  if (sum === undefined) throw new CodedError(GOSSIP_FAULTS.badMessage, 'consensus: message is nil')
  validateMessage(sum)
  return withoutWorthlessBytes(sum, bytes.length)
}

function votesFor({ votes }: View, { round, type }: Pick<Majority, 'round' | 'type'>): VoteSet | undefined {
  return type === SignedMsgType.prevote ? votes.prevotes(round) : votes.precommits(round)
}

/**
 * Handles the messages of peers. Records the data that each peer has, and passes proposals, parts, votes and claims to
 * the driver. If a peer may now lack data, wakes the loop that sends data to this peer.
 */
export function createHandlers(modules: ReceiveModules): ProtocolHandlers<Sum, GossipPeer> {
  const { consensus, isActive, onHeight, now } = modules
  const blockParts = modules.metrics.counter({
    name: 'consensus_block_parts',
    help: 'Number of block parts transmitted by each peer.',
    labels: ['peer_id'],
  })

  /** Returns a handler that ignores the messages of its kind while this node does not take part in consensus. */
  function whenActive<T>(handle: (from: GossipPeer, value: T) => Answer): (from: GossipPeer, value: T) => Answer {
    return (from, value) =>
      isActive() ? handle(from, value) : ignore(GOSSIP_FAULTS.notActive, 'this node is still syncing blocks')
  }

  function receiveRoundStep({ peer, state, wake }: GossipPeer, step: Value<'newRoundStep'>): Verdict {
    const fault = heightFault(step, consensus.roundState().chain.initialHeight)
    if (fault !== undefined) return reject(GOSSIP_FAULTS.badHeight, fault)
    const { height } = state
    state.applyNewRoundStep(step, now())
    if (state.height !== height) onHeight(peer.id)
    wake()
    return ACCEPT
  }

  async function receiveMaj23({ peer }: GossipPeer, claim: Majority): Promise<Verdict> {
    const local = consensus.roundState()
    if (local.height !== claim.height) return ignore(GOSSIP_FAULTS.otherHeight, 'the message is for another height')
    const { height, round, type, blockId } = claim
    const claimed = votesFor(local, claim)?.peerMaj23s.get(peer.id)
    if (claimed !== undefined && !equalBlockIds(claimed, blockId)) {
      return reject(GOSSIP_FAULTS.conflictingMajorities, 'the peer claims +2/3 for two different blocks in one round')
    }
    if (isActive()) await consensus.receiveMaj23({ peerId: peer.id, height, round, voteType: type, blockId })
    peer.trySend(CHANNELS.voteSetBits, voteSetBitsMessage(claim, votesFor(local, claim)))
    return ACCEPT
  }

  async function receiveProposal({ peer, state, wake }: GossipPeer, { proposal }: Value<'proposal'>): Promise<Verdict> {
    validateProposalBlockSize(proposal, consensus.roundState().chain.consensusParams.block.maxBytes)
    state.setHasProposal(proposal)
    wake()
    await consensus.receive(peer.id, { kind: 'proposal', proposal })
    return ACCEPT
  }

  async function receivePart({ peer, state }: GossipPeer, message: Value<'blockPart'>): Promise<Verdict> {
    const { height, round, part } = message
    state.setHasPart(height, round, part.index)
    blockParts.add(1, { peer_id: peer.id })
    await consensus.receive(peer.id, { kind: 'blockPart', height, round, part })
    return ACCEPT
  }

  async function receiveVote({ peer, state }: GossipPeer, { vote }: Value<'vote'>): Promise<Verdict> {
    if (vote === undefined) return ignore(MESSAGE_FAULTS.unreadable, 'the message contains no vote')
    const { height, validators, lastCommit } = consensus.roundState()
    state.ensureVoteBits(height, validators.validators.length)
    state.ensureVoteBits(height - 1, lastCommit?.size ?? 0)
    state.noteSent(vote)
    await consensus.receive(peer.id, { kind: 'vote', vote })
    return ACCEPT
  }

  function receiveBits({ state, wake }: GossipPeer, bits: Value<'voteSetBits'>): Verdict {
    const local = consensus.roundState()
    const ours = local.height === bits.height ? votesFor(local, bits)?.bitsFor(bits.blockId) : undefined
    state.applyVoteSetBits(bits, ours)
    wake()
    return ACCEPT
  }

  return {
    newRoundStep: receiveRoundStep,
    newValidBlock: ({ state, wake }, value) => {
      state.applyNewValidBlock(value)
      wake()
      return ACCEPT
    },
    hasVote: ({ state }, value) => {
      state.applyHasVote(value)
      return ACCEPT
    },
    voteSetMaj23: receiveMaj23,
    proposal: whenActive(receiveProposal),
    proposalPol: whenActive(({ state, wake }, value) => {
      state.applyProposalPol(value)
      wake()
      return ACCEPT
    }),
    blockPart: whenActive(receivePart),
    vote: whenActive(receiveVote),
    voteSetBits: whenActive(receiveBits),
  }
}
