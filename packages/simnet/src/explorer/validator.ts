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
import { SignedMsgType } from '@org/types'
import { answerOf } from './answers.ts'
import type { Event, ModelProposal, ModelVote } from './message.ts'
import { type Model, NOW } from './model.ts'
import { createRules } from './rules.ts'
import { signedProposal, signedVote } from './signed-messages.ts'

/** A validator with a real consensus machine, which gets its events one by one through `feed`. */
export interface LiveValidator {
  readonly machine: Machine
  readonly feed: (event: Event) => void
  /** The votes that this validator has sent so far. */
  readonly votes: readonly ModelVote[]
  readonly proposals: readonly ModelProposal[]
  /** Returns the explorer's name of the block that this validator has decided; `undefined` before the decision. */
  readonly decided: () => string | undefined
  /** Returns the pending timeout, or the last one that fired. */
  readonly timer: () => { readonly waits: boolean; readonly at: Timeout | undefined }
  /** The violations of rules. */
  readonly faults: readonly string[]
}

/**
 * Starts the validator with this index. Only messages of the first `rounds` rounds are recorded as sent. The function
 * is long because its inner functions share the timer, the sent messages and the decision of the validator.
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
    if (call.type !== 'commitBlock') return answerOf(model, call, machine.state.round)
    decided = model.nameOf(call.blockId.hash)
    return undefined
  }

  function feed(event: Event): void {
    if (decided !== undefined) return
    switch (event.kind) {
      case 'timeout':
        waiting?.run()
        return
      case 'proposal': {
        const message: ConsensusMessage = { kind: 'proposal', proposal: signedProposal(model, event) }
        step({ type: 'message', peerId: 'peer', message })
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
        step({
          type: 'message',
          peerId: `v${event.validator}`,
          message: { kind: 'vote', vote: signedVote(model, event) },
        })
    }
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
