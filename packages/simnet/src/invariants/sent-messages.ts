import { isProposer } from '@org/engine/consensus'
import { CHANNELS } from '@org/engine/protocols'
import { SignedMsgType, type Vote } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { ConsensusMessage } from '@org/types/messages'
import type { ChannelMessage } from '../peers/index.ts'
import type { createBlockRules } from './block-rules.ts'
import type { ChainRecord } from './chain-record.ts'
import { prevoteFault } from './rounds.ts'
import { blockOfVote, type createSentVotes, voteTimeFault } from './sent-votes.ts'
import { createSignStateRule, type Signed } from './sign-state-rule.ts'
import type { createSigningRules } from './signing.ts'
import type { WatchedNodes } from './watched-nodes.ts'

interface SentMessageModules {
  readonly nodes: WatchedNodes
  readonly record: ChainRecord
  readonly violate: (rule: string, detail: string) => void
  readonly rules: ReturnType<typeof createSigningRules>
  readonly blockFault: ReturnType<typeof createBlockRules>
  readonly sentVoteFault: ReturnType<typeof createSentVotes>
}

/** A sent message, and the checks that were made of it. */
interface SentMessage {
  readonly sum: ConsensusMessage['sum']
  isTaken: boolean
  isTakenAsOwn: boolean
}

/** The rules for proposals and votes that nodes send. */
export interface SentMessageRules {
  readonly sent: (from: string, channelMessage: ChannelMessage) => void
  /**
   * Decodes a message. A node sends the same `bytes` to each of its peers, so the result is kept and each message is
   * decoded only once.
   */
  readonly decode: (bytes: Uint8Array) => ConsensusMessage['sum']
}

export function createSentMessageRules(modules: SentMessageModules): SentMessageRules {
  const { nodes, record, violate, rules, blockFault, sentVoteFault } = modules
  const decoded = new WeakMap<Uint8Array, SentMessage>()
  const forgottenFault = createSignStateRule()

  function decodedOf(bytes: Uint8Array): SentMessage {
    const known = decoded.get(bytes)
    if (known !== undefined) return known
    const message = { sum: ConsensusMessage.decode(bytes).sum, isTaken: false, isTakenAsOwn: false }
    decoded.set(bytes, message)
    return message
  }

  /**
   * Checks a sent vote by the rules of signing. Skips the check if the same message was checked before, because a node
   * sends each message to several peers. Returns true if the vote is the node's own, and the node sends it for the
   * first time.
   */
  function takeVote(
    from: string,
    vote: Vote,
    { message, own }: { readonly message: SentMessage; readonly own: boolean },
  ): boolean {
    if (own ? message.isTakenAsOwn : message.isTaken) return false
    message.isTaken = true
    message.isTakenAsOwn ||= own
    return rules.vote(from, vote, own)
  }

  function checkSentVote(from: string, vote: Vote, bytes: Uint8Array): void {
    const view = nodes.viewOf(from)
    if (view === undefined) return
    const fault = sentVoteFault(vote, bytes, { height: view.height, params: view.chain.consensusParams })
    if (fault !== undefined) violate('votes', `${from} ${fault}`)
  }

  function checkOwnVote(from: string, vote: Vote): void {
    const view = nodes.viewOf(from)
    const block = view && blockOfVote(vote, view)
    if (block === undefined) return
    const early = voteTimeFault(vote, block)
    if (early !== undefined)
      violate('time', `the vote of ${from} at height/round ${vote.height}/${vote.round} ${early}`)
    const fault = vote.type === SignedMsgType.prevote ? prevoteFault(block, record, blockFault) : undefined
    if (fault !== undefined)
      violate(
        'validity',
        `${from} prevotes for an invalid block at height/round ${vote.height}/${vote.round}: ${fault}`,
      )
  }

  /**
   * Checks that the signer has recorded the signature on its disk. Checks nothing if the node has stored the block of
   * this height, because the commit of the block also records the signature.
   */
  function checkRemembered(from: string, signed: Signed): void {
    const node = nodes.named(from)
    if (node === undefined || signed.height <= (node.engine()?.blockStore.height() ?? 0)) return
    const fault = forgottenFault(node, signed)
    if (fault !== undefined) violate('signer', `${from} ${fault}`)
  }

  function checkProposal(
    from: string,
    sum: Extract<ConsensusMessage['sum'], { case: 'proposal' }>,
    honest: boolean,
  ): void {
    const { proposal } = sum.value
    // A node also forwards proposals of others. A proposal is the node's own if the node is in the round of the
    // proposal and is the proposer of this round.
    const view = nodes.viewOf(from)
    const own = honest && view?.height === proposal.height && view.round === proposal.round && isProposer(view)
    rules.proposal(from, proposal, own ? nodes.addressOf(from) : undefined)
    if (own) checkRemembered(from, { height: proposal.height, round: proposal.round })
  }

  return {
    sent: (from, { channel, bytes }) => {
      if (channel !== CHANNELS.data && channel !== CHANNELS.vote) return
      const message = decodedOf(bytes)
      const { sum } = message
      const honest = nodes.isHonest(from)
      if (sum?.case === 'proposal') checkProposal(from, sum, honest)
      if (sum?.case !== 'vote' || sum.value.vote === undefined) return
      const { vote } = sum.value
      const address = nodes.addressOf(from)
      const own = honest && address !== undefined && equalBytes(vote.validatorAddress, address)
      const isFirst = takeVote(from, vote, { message, own })
      if (honest) checkSentVote(from, vote, bytes)
      if (own) checkRemembered(from, vote)
      if (own && isFirst) checkOwnVote(from, vote)
    },
    decode: (bytes) => decodedOf(bytes).sum,
  }
}
