import { type Call, type Effect, isCall } from './effect.ts'
import type { Input, Result } from './input.ts'
import type { Machine } from './machine.ts'

/** What surrounds a machine where everything is at hand: in tests and searches, not in a node, which waits for disks. */
export interface Surroundings {
  /** `undefined`: the machine is left waiting. */
  readonly answer: (call: Call) => Result | undefined
  readonly perform: (effect: Exclude<Effect, Call>) => void
}

/** Feeds an input, then the answers to what the machine asks, at the same time of the clock, until it asks no more. */
export function feedMachine(machine: Machine, input: Input, { answer, perform }: Surroundings): void {
  for (let next: Input | undefined = input; next !== undefined; ) {
    const effects = machine.step(next)
    next = undefined
    for (const effect of effects) {
      if (!isCall(effect)) {
        perform(effect)
        continue
      }
      const result = answer(effect)
      next = result && { type: 'result', time: input.time, result }
    }
  }
}
