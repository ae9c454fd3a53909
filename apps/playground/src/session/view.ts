import type { RoundState, VoteSet } from '@org/engine/consensus'
import type { NodeStatus, SimNode } from '@org/simnet/network'
import { proposerOf, type ValidatorSet } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { addressOf, publicKeyOf } from '@org/types/crypto'
import { blockName } from './block-name.ts'

/**
 * The votes of one type that a node has received in the present round. Shares are parts of the whole power, from 0 to
 * 1.
 */
export interface Tally {
  /** The share of the power that has voted. */
  readonly voted: number
  /** The share of the power that voted for the choice with the most power. A choice is one block, or nil. */
  readonly largest: number
  /** The block for which the most power voted. Empty if the most power voted for nil, or if there are no votes. */
  readonly block: string
  /** The block for which the node itself voted: `undefined` if it has not voted, empty if it voted for nil. */
  readonly ownVote: string | undefined
}

/** The state of a node at one moment. */
export interface NodeView {
  readonly status: NodeStatus
  readonly isFrozen: boolean
  readonly height: number
  readonly round: number
  /** The step as a number from 1 (new height) to 8 (commit); 0 if the node does not run. */
  readonly step: number
  readonly isProposer: boolean
  readonly hasProposal: boolean
  /** The block on which the node is locked, and the round of the lock. */
  readonly locked: { readonly block: string; readonly round: number } | undefined
  readonly prevotes: Tally
  readonly precommits: Tally
  /** The height of the last block in the block store. */
  readonly stored: number
}

const NO_VOTES: Tally = { voted: 0, largest: 0, block: '', ownVote: undefined }

/**
 * Converts between nodes and validators. A node has a number, which is its index in the network. In a validator set,
 * the same node may have another index.
 */
export interface Members {
  /** Returns the number of the node with this address; -1 if no node has it. */
  readonly nodeOf: (address: Uint8Array) => number
  /** Returns the index of a node in the validator set; -1 if the node is not in the set. */
  readonly validatorIndexOf: (set: ValidatorSet, node: number) => number
  /** Returns the number of the node that is the proposer; -1 if the proposer is not a node of the network. */
  readonly proposerOf: (set: ValidatorSet) => number
}

export function createMembers(nodes: readonly SimNode[]): Members {
  const byAddress = new Map(nodes.map(({ options }, node) => [bytesToHex(addressOf(publicKeyOf(options.key))), node]))
  const indexesOfSet = new WeakMap<object, Map<number, number>>()
  const nodeOf = (address: Uint8Array): number => byAddress.get(bytesToHex(address)) ?? -1

  function validatorIndexes({ validators }: ValidatorSet): Map<number, number> {
    const known = indexesOfSet.get(validators)
    if (known !== undefined) return known
    const made = new Map(validators.map(({ address }, validatorIndex) => [nodeOf(address), validatorIndex]))
    indexesOfSet.set(validators, made)
    return made
  }

  return {
    nodeOf,
    validatorIndexOf: (set, node) => validatorIndexes(set).get(node) ?? -1,
    proposerOf: (set) => {
      const proposer = proposerOf(set)
      return proposer === undefined ? -1 : nodeOf(proposer.address)
    },
  }
}

/** Returns the block for which the validator with this index voted; empty for nil, `undefined` if it has not voted. */
export function ownVote(votes: VoteSet | undefined, validatorIndex: number): string | undefined {
  const vote = validatorIndex === -1 ? undefined : votes?.vote(validatorIndex)
  return vote === undefined ? undefined : blockName(vote.blockId.hash)
}

function tallyOf(votes: VoteSet | undefined, { validators }: ValidatorSet, validatorIndex: number): Tally {
  if (votes === undefined) return NO_VOTES
  const byBlock = new Map<string, number>()
  let [total, all] = [0, 0]
  for (const [index, { votingPower }] of validators.entries()) {
    const power = Number(votingPower)
    total += power
    const vote = votes.vote(index)
    if (vote === undefined) continue
    all += power
    const block = blockName(vote.blockId.hash)
    byBlock.set(block, (byBlock.get(block) ?? 0) + power)
  }
  let [most, block] = [0, '']
  for (const [name, power] of byBlock) if (power > most) [most, block] = [power, name]
  return { voted: all / total, largest: most / total, block, ownVote: ownVote(votes, validatorIndex) }
}

/** Returns the part of a node's state that the page shows. */
export function viewOf(node: SimNode, index: number, members: Members): NodeView {
  const engine = node.engine()
  const status = node.status()
  const isFrozen = node.life()?.isFrozen() ?? false
  if (engine === undefined) {
    const none = { height: 0, round: 0, step: 0, isProposer: false, hasProposal: false, locked: undefined, stored: 0 }
    return { status, isFrozen, ...none, prevotes: NO_VOTES, precommits: NO_VOTES }
  }
  const state: Readonly<RoundState> = engine.consensus.roundState()
  const { height, round, step, validators, votes, locked } = state
  const validatorIndex = members.validatorIndexOf(validators, index)
  return {
    ...{ status, isFrozen, height, round, step, stored: engine.blockStore.height() },
    isProposer: members.proposerOf(validators) === index,
    hasProposal: state.incoming?.block !== undefined,
    locked: locked && { block: blockName(locked.hash), round: locked.round },
    prevotes: tallyOf(votes.prevotes(round), validators, validatorIndex),
    precommits: tallyOf(votes.precommits(round), validators, validatorIndex),
  }
}
