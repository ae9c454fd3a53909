import { compareConsensusPositions } from '@org/types'
import { type Core, publish, type RuleGenerator } from './core.ts'
import type { Timeout } from './input.ts'
import { enterNewRound } from './new-round.ts'
import { enterPrecommit } from './precommit.ts'
import { enterPrevote } from './prevote.ts'
import { enterPropose } from './propose.ts'
import { RoundStep } from './round-step.ts'

/**
 * Handles a timeout. Ignores a timeout of another height. Also ignores a timeout if the machine is already in a later
 * round, or in a later step of the same round.
 */
export function* handleTimeout(core: Core, timeout: Timeout): RuleGenerator {
  const { height, round, step } = timeout
  if (height !== core.state.height || compareConsensusPositions(timeout, core.state) < 0) return
  switch (step) {
    case RoundStep.newHeight:
      return yield* enterNewRound(core, height, 0)
    case RoundStep.newRound:
      return yield* enterPropose(core, height, round)
    case RoundStep.propose:
      publish(core, 'TimeoutPropose')
      return yield* enterPrevote(core, height, round)
    case RoundStep.prevoteWait:
      publish(core, 'TimeoutWait')
      return yield* enterPrecommit(core, height, round)
    case RoundStep.precommitWait:
      publish(core, 'TimeoutWait')
      yield* enterPrecommit(core, height, round)
      return yield* enterNewRound(core, height, round + 1)
    default:
      return
  }
}
