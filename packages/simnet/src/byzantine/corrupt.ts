import { type Candidate, isProposer } from '@org/engine/consensus'
import { BLOCKSYNC_CHANNEL, CHANNELS, STATESYNC_CHANNELS } from '@org/engine/protocols'
import { PEX_CHANNEL } from '@org/p2p'
import { isPrecommitForBlock, SignedMsgType, type Vote, ZERO_BLOCK_ID } from '@org/types'
import { bytesToHex, equalBytes, utf8ToBytes } from '@org/types/bytes'
import { addressOf, publicKeyOf } from '@org/types/crypto'
import { ConsensusMessage } from '@org/types/messages'
import type { SimNode } from '../node/index.ts'
import type { ChannelMessage, Interceptor } from '../peers/index.ts'
import type { RandomSource } from '../world/index.ts'
import type { Behaviour } from './behaviours.ts'
import { createByzantineSnapshots } from './byzantine-snapshots.ts'
import { createByzantineSync } from './byzantine-sync.ts'
import { createExtraMessages } from './extra-messages.ts'
import { createFlood } from './flood.ts'
import {
  createForger,
  FORGED_BLOCKS,
  type OtherBlock,
  spoiled,
  voteMessage,
  withTxs,
  withWrongAppHash,
} from './forge.ts'

export interface CorruptModules {
  readonly chainId: string
  readonly random: RandomSource
  /** Returns the present virtual time in milliseconds. */
  readonly now: () => number
  /** Called each time the validator breaks a rule. The argument is the behaviour that breaks the rule. */
  readonly onDeed: (behaviour: Behaviour) => void
}

/** The probability that the validator breaks a rule, at each opportunity. */
const MISBEHAVIOUR_RATE = 0.5
/**
 * The maximum number of forged blocks that are kept. A round has at most one forged block. So the kept blocks are those
 * of the last `KEEP` rounds with a forged block.
 */
const KEEP = 16

/** Makes the forged blocks that the validator proposes, or votes for, in addition to the real blocks. */
function createOtherBlocks(
  node: SimNode,
  behaviours: readonly Behaviour[],
  { does, random }: Pick<CorruptModules, 'random'> & { readonly does: (behaviour: Behaviour) => boolean },
) {
  /** The forged blocks. The key is the height and the round. */
  const others = new Map<string, OtherBlock>()
  const forgeries = behaviours.filter((behaviour) => FORGED_BLOCKS[behaviour] !== undefined)

  function proposed(): Candidate | undefined {
    const incoming = node.engine()?.consensus.roundState().incoming
    return incoming?.block === undefined ? undefined : incoming
  }

  function remember(name: string, other: OtherBlock): OtherBlock {
    others.set(name, other)
    const [oldest] = others.keys()
    if (others.size > KEEP && oldest !== undefined) others.delete(oldest)
    return other
  }

  function otherBlock(name: string): OtherBlock | undefined {
    const known = others.get(name)
    if (known !== undefined) return known
    const block = proposed()?.block
    if (block === undefined) return undefined
    if (does('invalidBlock')) return remember(name, withWrongAppHash(block))
    if (does('doublePropose'))
      return remember(name, withTxs(block, [utf8ToBytes(`tx:double-${name.replace('/', '-')}`)]))
    if (forgeries.length === 0) return undefined
    const behaviour = random.pick(forgeries)
    const forged = FORGED_BLOCKS[behaviour]?.(block)
    return forged !== undefined && does(behaviour) ? remember(name, forged) : undefined
  }

  /**
   * Returns a vote of the same height, round and type for another block or for nil. Returns `vote` itself if no such
   * vote can be made.
   */
  function contradict(vote: Vote): Vote {
    const other = others.get(`${vote.height}/${vote.round}`)
    if (vote.blockId.hash.length > 0) return { ...vote, blockId: other?.blockId ?? ZERO_BLOCK_ID }
    if (other !== undefined) return { ...vote, blockId: other.blockId }
    const candidate = proposed()
    if (candidate === undefined) return vote
    return { ...vote, blockId: { hash: candidate.hash, partSetHeader: candidate.parts.header } }
  }

  return { others, otherBlock, contradict }
}

/**
 * Replaces the messages that a node sends by those of a corrupt validator. The node's own consensus state machine still
 * obeys the rules.
 */
export function corrupt(node: SimNode, behaviours: readonly Behaviour[], modules: CorruptModules): Interceptor {
  const { random, chainId, onDeed } = modules
  const { key } = node.options
  const own = addressOf(publicKeyOf(key))
  const forger = createForger(key, chainId)
  const does = (behaviour: Behaviour): boolean => {
    if (!behaviours.includes(behaviour) || !random.chance(MISBEHAVIOUR_RATE)) return false
    onDeed(behaviour)
    return true
  }
  const { others, otherBlock, contradict } = createOtherBlocks(node, behaviours, { does, random })
  const extra = createExtraMessages({ behaviours, does, random, height: () => node.engine()?.blockStore.height() ?? 0 })
  const flood = createFlood({ ...modules, node, behaviours, forger })
  const lie = createByzantineSync({ name: node.name, behaviours, onDeed })
  const lieAboutSnapshots = createByzantineSnapshots({ behaviours, onDeed })
  /**
   * True for a peer whose name has an odd number, such as `n3`. Such a peer gets the forged block, not the real one.
   * The validator may send its real vote together with a vote that contradicts it. A peer with an odd number gets the
   * contradicting vote first. The other peers get the real vote first.
   */
  const isOdd = (to: string): boolean => Number(to.slice(1)) % 2 === 1

  function ofData(to: string, channelMessage: ChannelMessage): readonly ChannelMessage[] {
    const { sum } = ConsensusMessage.decode(channelMessage.bytes)
    if (sum?.case === 'proposal') {
      const { proposal } = sum.value
      const view = node.engine()?.consensus.roundState()
      if (view === undefined || !isProposer(view)) return [channelMessage]
      if (view.height !== proposal.height || view.round !== proposal.round) return [channelMessage]
      if (does('withhold')) return []
      const other = otherBlock(`${proposal.height}/${proposal.round}`)
      if (other !== undefined && isOdd(to)) return [forger.proposal({ ...proposal, blockId: other.blockId })]
      if (proposal.round > 0 && does('wrongPol'))
        return [forger.proposal({ ...proposal, polRound: proposal.round - 1 })]
      return [channelMessage]
    }
    if (sum?.case === 'blockPart' && isOdd(to)) {
      const { height, round, part } = sum.value
      const parts = others.get(`${height}/${round}`)?.parts
      if (parts?.part(part.index) === undefined) return [channelMessage]
      const forged = [parts.part(part.index)]
      // Each message with a part of the real block is replaced by a message with a part of the forged block. If the
      // forged block has more parts than the real block, its additional parts are sent together with its first part.
      if (part.index === 0) for (let i = part.proof.total; i < parts.header.total; i++) forged.push(parts.part(i))
      return forged
        .filter((each) => each !== undefined)
        .map((each) => ({
          channel: CHANNELS.data,
          bytes: ConsensusMessage.encode({ sum: { case: 'blockPart', value: { height, round, part: each } } }),
        }))
    }
    return [channelMessage]
  }

  /** Returns the vote with an invalid or missing signature, or `undefined` if no behaviour changes the vote. */
  function spoil(vote: Vote): Vote | undefined {
    const { signature, extensionSignature } = vote
    if (does('wrongSignature')) return { ...vote, signature: spoiled(signature) }
    if (!isPrecommitForBlock(vote) || extensionSignature.length === 0) return undefined
    if (does('wrongExtensionSignature')) return { ...vote, extensionSignature: spoiled(extensionSignature) }
    if (does('noExtensionSignature')) return { ...vote, extensionSignature: new Uint8Array(0) }
    return undefined
  }

  function ofVote(to: string, channelMessage: ChannelMessage): readonly ChannelMessage[] {
    const { sum } = ConsensusMessage.decode(channelMessage.bytes)
    const vote = sum?.case === 'vote' ? sum.value.vote : undefined
    if (vote === undefined || !equalBytes(vote.validatorAddress, own)) return [channelMessage]
    if (does('withhold')) return []
    const sent: ChannelMessage[] = [channelMessage]
    if (vote.type === SignedMsgType.prevote && does('amnesia')) sent[0] = forger.vote(contradict(vote))
    if (does('equivocate')) {
      const other = forger.vote(contradict(vote))
      if (isOdd(to)) sent.unshift(other)
      else sent.push(other)
    }
    if (isPrecommitForBlock(vote) && vote.extensionSignature.length > 0 && does('invalidExtension')) {
      sent[0] = forger.vote({ ...vote, extension: utf8ToBytes(`not ${bytesToHex(vote.extension)}`) })
    }
    if (vote.round > 0 && does('staleRounds')) sent.push(forger.vote({ ...vote, round: vote.round - 1 }))
    if (does('futureVotes')) sent.push(forger.vote({ ...vote, round: vote.round + 1 + random.below(3) }))
    const bad = spoil(vote)
    if (bad !== undefined) sent[0] = voteMessage(bad)
    return sent
  }

  function messagesFor(to: string, channelMessage: ChannelMessage): readonly ChannelMessage[] {
    const { channel } = channelMessage
    if (channel === PEX_CHANNEL) return flood.answer(channelMessage) ?? extra.addresses(channelMessage)
    if (channel === STATESYNC_CHANNELS.snapshot || channel === STATESYNC_CHANNELS.chunk)
      return [...lieAboutSnapshots(channelMessage), ...extra.next()]
    if (channel === BLOCKSYNC_CHANNEL) return [...lie(to, channelMessage), ...extra.next()]
    if (channel !== CHANNELS.data && channel !== CHANNELS.vote) return [channelMessage, ...extra.next()]
    const sent = channel === CHANNELS.data ? ofData(to, channelMessage) : ofVote(to, channelMessage)
    return [...(sent.length > 0 && does('repeat') ? [...sent, ...sent] : sent), ...extra.next()]
  }

  return (to, channelMessage) => [...messagesFor(to, channelMessage), ...flood.next(to)]
}
