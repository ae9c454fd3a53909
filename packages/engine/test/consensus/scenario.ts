import { type BlockId, SignedMsgType, type Vote, ZERO_BLOCK_ID } from '@org/types'
import { expect } from 'vitest'
import type { RoundState } from '../../src/consensus/machine/index.ts'
import {
  createVirtualNetwork,
  type NetworkOptions,
  type VirtualBlock,
  type VirtualNetwork,
  type VirtualNode,
} from './virtual-network.ts'

/**
 * One machine in a chain of four validators with equal power. The test sends the messages of the other three
 * validators.
 */
export interface Scenario {
  readonly network: VirtualNetwork
  readonly me: VirtualNode
  readonly others: readonly VirtualNode[]
  readonly state: Readonly<RoundState>
  /** Sends the machine a proposal for `block`, signed by the proposer of the round, and all parts of the block. */
  readonly propose: (block: VirtualBlock, fields?: { readonly polRound?: number; readonly round?: number }) => void
  readonly sendParts: (block: VirtualBlock, round?: number) => void
  /**
   * Sends prevotes of the other validators of this round to the machine: one prevote for each given block. `undefined`
   * means a prevote for nil.
   */
  readonly prevote: (...ids: (VirtualBlock | undefined)[]) => void
  readonly precommit: (...ids: (VirtualBlock | undefined)[]) => void
  readonly prevoteIn: (round: number, ...ids: (VirtualBlock | undefined)[]) => void
  readonly precommitIn: (round: number, ...ids: (VirtualBlock | undefined)[]) => void
  /** Moves the clock to the next timeout, which fires. */
  readonly timeOut: () => void
  /** Returns the block id of this node's last vote of this type in a round. Default: the current round. */
  readonly myVote: (type: Vote['type'], round?: number) => BlockId | undefined
  readonly expectPrevote: (block: VirtualBlock | undefined) => void
  readonly expectPrecommit: (block: VirtualBlock | undefined) => void
  readonly eventTypes: () => string[]
}

/** Creates the scenario. `proposes` is the first round in which this node is the proposer. Default: 3. */
export function createScenario(options: NetworkOptions & { readonly proposes?: number } = {}): Scenario {
  const network = createVirtualNetwork(options)
  network.deliver = () => false
  const { proposes = 3 } = options
  const me = network.proposerOf(proposes)
  const others = network.nodes.filter((node) => node !== me)
  const { state } = me.machine

  function voteAll(type: Vote['type'], round: number, ids: readonly (VirtualBlock | undefined)[]): void {
    for (const [i, block] of ids.entries()) {
      const blockId = block?.blockId ?? ZERO_BLOCK_ID
      const { height } = state
      const vote = (others[i] as VirtualNode).vote({ type, height, round, blockId })
      me.receive({ kind: 'vote', vote }, `peer${i}`)
    }
  }

  function myVote(type: Vote['type'], round: number = state.round): BlockId | undefined {
    const found = me.sent.findLast(
      (message) => message.kind === 'vote' && message.vote.type === type && message.vote.round === round,
    )
    return found?.kind === 'vote' ? found.vote.blockId : undefined
  }

  const { prevote, precommit } = SignedMsgType
  me.feed({ type: 'start' })
  network.clock.next()
  return {
    network,
    me,
    others,
    state,
    propose: (block, { polRound = -1, round = state.round } = {}) => {
      const proposal = network.proposerOf(round).propose(block, { height: state.height, round, polRound })
      me.receive({ kind: 'proposal', proposal })
      sendParts(block, round)
    },
    sendParts,
    prevote: (...ids) => voteAll(prevote, state.round, ids),
    precommit: (...ids) => voteAll(precommit, state.round, ids),
    prevoteIn: (round, ...ids) => voteAll(prevote, round, ids),
    precommitIn: (round, ...ids) => voteAll(precommit, round, ids),
    timeOut: () => void network.clock.next(),
    myVote,
    expectPrevote: (block) => expect(myVote(prevote)).toEqual(block?.blockId ?? ZERO_BLOCK_ID),
    expectPrecommit: (block) => expect(myVote(precommit)).toEqual(block?.blockId ?? ZERO_BLOCK_ID),
    eventTypes: () => me.events.map(({ type }) => type),
  }

  function sendParts({ parts }: VirtualBlock, round: number = state.round): void {
    for (const part of parts.parts) {
      if (part !== undefined) me.receive({ kind: 'blockPart', height: state.height, round, part })
    }
  }
}
