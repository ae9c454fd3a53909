import {
  type Call,
  type ConsensusMessage,
  createMachine,
  createTicker,
  DEFAULT_MACHINE_OPTIONS,
  type Effect,
  feedMachine,
  type Machine,
  type Result,
  type Timeout,
  type UntimedInput,
} from '@org/engine/consensus'
import { hashBlock, Proposal, SignedMsgType, Vote, ZERO_BLOCK_ID } from '@org/types'
import { WORLD_ERRORS, WorldError } from '../world/index.ts'
import type { Event, ModelProposal, ModelVote } from './message.ts'
import { type Model, NOW } from './model.ts'
import { createRules, REFUSED } from './rules.ts'

/** A validator with a real consensus machine, which gets its events one by one through `feed`. */
export interface LiveValidator {
  readonly machine: Machine
  readonly feed: (event: Event) => void
  /** The votes that this validator has sent so far. */
  readonly votes: readonly ModelVote[]
  readonly proposals: readonly ModelProposal[]
  /** Returns the name of the decided block. */
  readonly decided: () => string | undefined
  /** Returns the pending timeout, or the last one that fired. */
  readonly timer: () => { readonly waits: boolean; readonly at: Timeout | undefined }
  /** The violations of rules. */
  readonly faults: readonly string[]
}

/**
 * Starts the validator with this index. Only messages of the first `rounds` rounds are recorded as sent. The function
 * is long because it contains the list of the events and calls of a machine.
 */
export function startValidator(model: Model, { index, rounds }: { index: number; rounds: number }): LiveValidator {
  const votes: ModelVote[] = []
  const proposals: ModelProposal[] = []
  const faults: string[] = []
  const own: ConsensusMessage[] = []
  let decided: string | undefined
  let waiting: { readonly run: () => void } | undefined
  let timer: Timeout | undefined
  const machine = createMachine(
    { ...DEFAULT_MACHINE_OPTIONS },
    {
      chain: model.chain,
      lastCommit: undefined,
      lastHeaderAppHash: undefined,
      publicKey: model.publicKeys[index],
      time: NOW,
    },
    { verify: () => true },
  )
  const rules = createRules(model, { rounds, votes, faults, state: () => machine.state })
  const ticker = createTicker(
    {
      after: (_, run) => {
        const armed = { run }
        waiting = armed
        return {
          cancel: () => {
            if (waiting === armed) waiting = undefined
          },
        }
      },
    },
    (timeout) => {
      waiting = undefined
      timer = timeout
      step({ type: 'timeout', timeout })
    },
  )
  ticker.start()

  function step(input: UntimedInput): void {
    rules.onReceived(input)
    feedMachine(machine, { ...input, time: NOW }, { answer, perform })
    // The machine handles its own messages before any other input.
    for (let message = own.shift(); message !== undefined && decided === undefined; message = own.shift()) {
      recordSent(message)
      step({ type: 'message', peerId: '', message })
    }
    if (decided === undefined) rules.stands()
  }

  function perform(effect: Exclude<Effect, Call>): void {
    if (effect.type === 'own') own.push(effect.message)
    else if (effect.type === 'halt') faults.push(`halted: ${effect.error.message}`)
    else if (effect.type === 'schedule') {
      const before = waiting
      ticker.schedule(effect.timeout)
      if (waiting !== before) timer = effect.timeout
    }
  }

  function recordSent(message: ConsensusMessage): void {
    if (message.kind === 'proposal') {
      const { round, polRound, blockId } = message.proposal
      if (round >= rounds) return
      proposals.push({ kind: 'proposal', round, polRound, block: model.nameOf(blockId.hash) })
    } else if (message.kind === 'vote') {
      const { round, blockId } = message.vote
      const type = message.vote.type === SignedMsgType.prevote ? 'prevote' : 'precommit'
      const vote: ModelVote = { kind: 'vote', type, round, validator: index, value: model.nameOf(blockId.hash) }
      if (round >= rounds) return
      rules.onSent(vote)
      votes.push(vote)
    }
  }

  function answer(call: Call): Result | undefined {
    switch (call.type) {
      case 'createProposalBlock': {
        const { block, parts } = model.block(`a${machine.state.round}`)
        return { type: call.type, value: { block, parts } }
      }
      case 'signProposal':
        return { type: call.type, value: { ...call.proposal, signature: SIGNATURE } }
      case 'signVote':
        return { type: call.type, value: { ...call.vote, signature: SIGNATURE } }
      case 'validateBlock':
        return { type: call.type, value: undefined }
      case 'processProposal':
        return { type: call.type, value: !model.nameOf(hashBlock(call.block)).startsWith(REFUSED) }
      case 'commitBlock':
        decided = model.nameOf(call.blockId.hash)
        return undefined
      default:
        throw new WorldError(WORLD_ERRORS.badState, `the explorer has no answer to ${call.type}`)
    }
  }

  function feed(event: Event): void {
    if (decided !== undefined) return
    switch (event.kind) {
      case 'timeout':
        waiting?.run()
        return
      case 'proposal': {
        const { round, polRound } = event
        const { blockId } = model.block(event.block)
        const proposal = Proposal.create({
          type: SignedMsgType.proposal,
          height: 1,
          round,
          polRound,
          blockId,
          timestamp: NOW,
          signature: SIGNATURE,
        })
        step({ type: 'message', peerId: 'peer', message: { kind: 'proposal', proposal } })
        return
      }
      case 'parts':
        for (const part of model.block(event.block).parts.parts) {
          const { round } = machine.state
          if (part !== undefined && decided === undefined) {
            step({ type: 'message', peerId: 'peer', message: { kind: 'blockPart', height: 1, round, part } })
          }
        }
        return
      case 'vote':
        step({ type: 'message', peerId: `v${event.validator}`, message: { kind: 'vote', vote: realVote(event) } })
    }
  }

  function realVote({ type, round, validator, value }: ModelVote): Vote {
    return Vote.create({
      type: SignedMsgType[type],
      height: 1,
      round,
      blockId: value === 'nil' ? ZERO_BLOCK_ID : model.block(value).blockId,
      timestamp: NOW,
      validatorAddress: model.addresses[validator] as Uint8Array,
      validatorIndex: validator,
      signature: SIGNATURE,
    })
  }

  step({ type: 'start' })
  return {
    machine,
    feed,
    votes,
    proposals,
    faults,
    decided: () => decided,
    timer: () => ({ waits: waiting !== undefined, at: timer }),
  }
}

/** In this model, signatures have no meaning: a message names its signer, and the machines accept every signature. */
const SIGNATURE = new Uint8Array(64).fill(1)
