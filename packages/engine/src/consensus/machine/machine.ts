import { verifySignature } from '@org/types/crypto'
import { receiveVote } from './add-vote.ts'
import type { Core, RuleGenerator } from './core.ts'
import type { Effect } from './effect.ts'
import { MACHINE_ERRORS, MachineError } from './errors.ts'
import { createRoundState, type InitialState, scheduleRound0 } from './height.ts'
import type { Input, Result } from './input.ts'
import { handleTxsAvailable } from './new-round.ts'
import type { MachineOptions } from './options.ts'
import { receiveBlockPart, receiveProposal } from './proposal.ts'
import type { RoundState } from './round-state.ts'
import { handleTimeout } from './timeout.ts'
import type { VerifySignature } from './votes/index.ts'

/** The function that verifies signatures of proposals and votes. */
export interface MachineModules {
  /** Verifies a signature. Default: a function that does not remember results, and verifies at each call. */
  readonly verify?: VerifySignature
}

/**
 * The consensus rules (Tendermint) without I/O, clock or promises. The same initial state and inputs give the same
 * effects. If the last effect of a step is a call, the next input must be the result of this call.
 */
export interface Machine {
  readonly state: Readonly<RoundState>
  readonly step: (input: Input) => readonly Effect[]
  /**
   * Returns true if the machine waits for the result of an effect, such as a signature. In this time it accepts no
   * other input.
   */
  readonly isWaiting: () => boolean
}

/** Creates the machine. Throws `CONSENSUS_LAST_COMMIT` if the stored commit does not fit the state. */
export function createMachine(options: MachineOptions, initial: InitialState, modules: MachineModules = {}): Machine {
  const verify = modules.verify ?? verifySignature
  const state = createRoundState(initial, { options, verify })
  let now = initial.time
  let effects: Effect[] = []
  let waiting: RuleGenerator | undefined
  let halted = false
  const core: Core = {
    options,
    verify,
    state,
    now: () => now,
    emit: (effect) => void effects.push(effect),
    validated: new WeakSet(),
    ownBlock: undefined,
  }

  function begin(input: Exclude<Input, { type: 'result' }>): RuleGenerator | undefined {
    switch (input.type) {
      case 'start':
        scheduleRound0(core)
        return undefined
      case 'timeout':
        return handleTimeout(core, input.timeout)
      case 'txsAvailable':
        return handleTxsAvailable(core)
      case 'peerMaj23':
        if (input.height === state.height) state.votes.setPeerMaj23(input.peerId, input)
        return undefined
      case 'message':
        return receive(input)
    }
  }

  function receive({ peerId, message }: Extract<Input, { type: 'message' }>): RuleGenerator | undefined {
    switch (message.kind) {
      case 'proposal':
        receiveProposal(core, { peerId, message })
        return undefined
      case 'blockPart':
        return receiveBlockPart(core, { peerId, message })
      case 'vote':
        return receiveVote(core, { peerId, message })
    }
  }

  function resume(flow: RuleGenerator, result: Result | undefined): void {
    // The generator `flow` is a rule of consensus. The first call of `next` starts it, and has no result to pass.
    const { done, value } = result === undefined ? flow.next(undefined as never) : flow.next(result)
    if (done === true) return
    waiting = flow
    effects.push(value)
  }

  function feed(input: Input): void {
    const flow = waiting
    waiting = undefined
    if (input.type === 'result') {
      if (flow === undefined)
        throw new MachineError(MACHINE_ERRORS.unexpectedResult, 'the machine received a result that it did not request')
      resume(flow, input.result)
      return
    }
    if (flow !== undefined)
      throw new MachineError(
        MACHINE_ERRORS.unexpectedResult,
        'the machine received an input while it waits for a result',
      )
    const next = begin(input)
    if (next !== undefined) resume(next, undefined)
  }

  return {
    state,
    isWaiting: () => waiting !== undefined,
    step: (input) => {
      effects = []
      if (halted) return effects
      now = input.time
      try {
        feed(input)
      } catch (error) {
        if (!(error instanceof MachineError)) throw error
        halted = true
        effects.push({ type: 'halt', error })
      }
      return effects
    },
  }
}
