import { CHANNELS, EVIDENCE_CHANNEL, MEMPOOL_CHANNEL } from '@org/engine/protocols'
import { PEX_CHANNEL } from '@org/p2p'
import {
  duplicateVoteEvidence,
  EvidenceList,
  makeDuplicateVoteEvidence,
  Proposal,
  SignedMsgType,
  Vote,
} from '@org/types'
import { bytesToHex, equalBytes, utf8ToBytes } from '@org/types/bytes'
import { addressOf, MAX_SIGNATURE_SIZE, publicKeyOf } from '@org/types/crypto'
import { ConsensusMessage, MempoolMessage } from '@org/types/messages'
import { PexMessage } from '@org/types/p2p'
import type { SimNode } from '../node/index.ts'
import type { ChannelMessage } from '../peers/index.ts'
import type { RandomSource } from '../world/index.ts'
import { type Behaviour, FLOODS } from './behaviours.ts'
import type { Forger } from './forge.ts'

/** The minimum number of milliseconds between two floods that go to the same peer. */
const FLOOD_EVERY_MS = 400
const HASH_SIZE = 32
/** The maximum size, in bytes, of a message on the channel of votes. */
const MAX_MESSAGE_SIZE = 1_048_576
const MANY = { votes: 300, proposals: 300, rounds: 60, far: 1500, txs: 3000, addresses: 2000, evidence: 40 } as const

export interface Flood {
  /** Returns the additional messages that follow a message of the node to a peer. Usually there are none. */
  readonly next: (to: string) => readonly ChannelMessage[]
  /**
   * Returns a false list of addresses, which is sent in place of `channelMessage`. Returns `undefined` if
   * that message is not a list of addresses, or if the node does not have the behaviour `floodAddresses`.
   */
  readonly answer: (channelMessage: ChannelMessage) => readonly ChannelMessage[] | undefined
}

export interface FloodModules {
  readonly node: SimNode
  readonly behaviours: readonly Behaviour[]
  /** Signs with the key of the node. */
  readonly forger: Forger
  readonly random: RandomSource
  /** The time in virtual milliseconds. */
  readonly now: () => number
  readonly onDeed: (behaviour: Behaviour) => void
}

type FloodKind = (typeof FLOODS)[number]

/**
 * Makes the functions that forge messages. The signatures of the messages are random bytes. Only the votes of the
 * function `longVote` have a valid signature: the node signs these votes with its own key.
 */
function createForgedMessages({ node, forger, random }: Pick<FloodModules, 'node' | 'forger' | 'random'>) {
  const ownAddress = addressOf(publicKeyOf(node.options.key))

  const randomBlockId = () => ({
    hash: random.bytes(HASH_SIZE),
    partSetHeader: { total: 1, hash: random.bytes(HASH_SIZE) },
  })

  /** A vote of an existing validator with a forged signature. */
  function forgedVote(index: number, changes: Partial<Vote> = {}): Vote | undefined {
    const view = node.engine()?.consensus.roundState()
    const all = view?.validators.validators ?? []
    const validator = all[index % Math.max(1, all.length)]
    if (view === undefined || validator === undefined) return undefined
    return Vote.create({
      type: SignedMsgType.prevote,
      height: view.height,
      round: view.round,
      blockId: randomBlockId(),
      timestamp: view.chain.lastBlockTime + 1n,
      validatorAddress: validator.address,
      validatorIndex: index % all.length,
      signature: random.bytes(MAX_SIGNATURE_SIZE),
      ...changes,
    })
  }

  function voteMessage(vote: Vote | undefined): ChannelMessage | undefined {
    if (vote === undefined) return undefined
    return { channel: CHANNELS.vote, bytes: ConsensusMessage.encode({ sum: { case: 'vote', value: { vote } } }) }
  }

  function forgedProposal(): ChannelMessage | undefined {
    const view = node.engine()?.consensus.roundState()
    if (view === undefined) return undefined
    const proposal = Proposal.create({
      type: SignedMsgType.proposal,
      height: view.height,
      round: view.round,
      polRound: -1,
      blockId: randomBlockId(),
      timestamp: view.chain.lastBlockTime + 1n,
      signature: random.bytes(MAX_SIGNATURE_SIZE),
    })
    return {
      channel: CHANNELS.data,
      bytes: ConsensusMessage.encode({ sum: { case: 'proposal', value: { proposal } } }),
    }
  }

  /**
   * Makes a vote whose message has the maximum size of the channel. The receiver then tries to write a record that is
   * too long for its write-ahead log. The receiver does this only for a vote with a valid signature, so the node signs
   * the vote. Returns `undefined` if the node is not a validator.
   */
  function longVote(): ChannelMessage | undefined {
    const all = node.engine()?.consensus.roundState().validators.validators ?? []
    const index = all.findIndex(({ address }) => equalBytes(address, ownAddress))
    if (index < 0) return undefined
    const of = (length: number): ChannelMessage | undefined => {
      const vote = forgedVote(index, {
        type: SignedMsgType.precommit,
        extension: new Uint8Array(length),
        extensionSignature: random.bytes(MAX_SIGNATURE_SIZE),
      })
      return vote && forger.vote(vote)
    }
    // The message must have exactly the maximum size. A message with a shorter extension is made first. It shows how
    // many bytes a message has in addition to its extension. The message of the maximum size has the same number of
    // additional bytes, because the length prefixes of both messages have the same size.
    const extensionSize = MAX_MESSAGE_SIZE / 2
    const shorter = of(extensionSize)
    return shorter && of(MAX_MESSAGE_SIZE - (shorter.bytes.length - extensionSize))
  }

  return { forgedVote, voteMessage, forgedProposal, longVote }
}

/**
 * Makes messages that are cheap for the sender. For a receiver without limits they would be expensive. Only the sender
 * of long votes must be a validator.
 */
export function createFlood({ node, behaviours, forger, random, now, onDeed }: FloodModules): Flood {
  const kinds = FLOODS.filter((kind) => behaviours.includes(kind))
  const last = new Map<string, number>()
  const repeat = (count: number, make: (i: number) => ChannelMessage | undefined): ChannelMessage[] =>
    Array.from({ length: count }, (_, i) => make(i)).filter((channelMessage) => channelMessage !== undefined)
  const { forgedVote, voteMessage, forgedProposal, longVote } = createForgedMessages({ node, forger, random })

  function transactions(): ChannelMessage {
    const from = random.below(1_000_000)
    const txs = Array.from({ length: MANY.txs }, (_, i) => utf8ToBytes(`${(from + i).toString(36)}`))
    return { channel: MEMPOOL_CHANNEL, bytes: MempoolMessage.encode({ sum: { case: 'txs', value: { txs } } }) }
  }

  function addresses(): ChannelMessage {
    const addrs = Array.from({ length: MANY.addresses }, () => ({
      id: bytesToHex(random.bytes(20)).toLowerCase(),
      ip: `10.${201 + random.below(50)}.${random.below(250)}.${random.below(250)}`,
      port: 26_656,
    }))
    return { channel: PEX_CHANNEL, bytes: PexMessage.encode({ sum: { case: 'pexAddrs', value: { addrs } } }) }
  }

  /** Returns evidence about the last block, made of two votes that the validator did not sign. */
  function evidence(index: number): ChannelMessage | undefined {
    const engine = node.engine()
    const height = engine?.blockStore.height() ?? 0
    const meta = engine?.blockStore.loadBlockMeta(height)
    if (engine === undefined || meta === undefined) return undefined
    const validators = engine.stateStore.loadValidators(height)
    const [one, other] = [forgedVote(index, { height, round: 0 }), forgedVote(index, { height, round: 0 })]
    if (one === undefined || other === undefined) return undefined
    const value = makeDuplicateVoteEvidence(one, other, { blockTime: meta.header.time, validators })
    const list = EvidenceList.encode({ evidence: [duplicateVoteEvidence(value)] })
    return { channel: EVIDENCE_CHANNEL, bytes: list }
  }

  const MAKE: Readonly<Record<FloodKind, () => readonly ChannelMessage[]>> = {
    floodForgedVotes: () => repeat(MANY.votes, (i) => voteMessage(forgedVote(i))),
    floodForgedProposals: () => repeat(MANY.proposals, forgedProposal),
    floodRounds: () => {
      const round = node.engine()?.consensus.roundState().round ?? 0
      return repeat(MANY.rounds, (i) => voteMessage(forgedVote(i, { round: round + 2 + i })))
    },
    floodFarVotes: () => {
      const height = node.engine()?.consensus.roundState().height ?? 1
      return repeat(MANY.far, (i) => voteMessage(forgedVote(i, { height: height + 100 })))
    },
    floodLongVotes: () => repeat(2, longVote),
    floodTransactions: () => [transactions()],
    // The behaviour `floodAddresses` only replaces answers, so it adds no messages.
    floodAddresses: () => [],
    floodEvidence: () => repeat(MANY.evidence, evidence),
  }

  return {
    next: (to) => {
      if (kinds.length === 0 || now() - (last.get(to) ?? Number.NEGATIVE_INFINITY) < FLOOD_EVERY_MS) return []
      last.set(to, now())
      const kind = random.pick(kinds)
      const channelMessages = MAKE[kind]()
      if (channelMessages.length > 0) onDeed(kind)
      return channelMessages
    },
    answer: ({ bytes }) => {
      if (!kinds.includes('floodAddresses') || PexMessage.decode(bytes).sum?.case !== 'pexAddrs') return undefined
      onDeed('floodAddresses')
      return [addresses()]
    },
  }
}
