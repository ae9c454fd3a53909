import { type Call, type Effect, isCall } from './effect.ts'
import type { Input, Result } from './input.ts'
import type { Machine } from './machine.ts'

/**
 * The environment of a machine that gets every result immediately, as in tests and in a simulation without I/O. In a
 * node, a result may have to wait for the disk.
 */
export interface MachineEnvironment {
  /** Returns the result of a call. If it returns `undefined`, the machine continues to wait for the result. */
  readonly answer: (call: Call) => Result | undefined
  readonly perform: (effect: Exclude<Effect, Call>) => void
}

/**
 * Feeds an input, then the results of the machine's calls, with the same clock reading, until there is no further
 * call.
 */
export function feedMachine(machine: Machine, input: Input, { answer, perform }: MachineEnvironment): void {
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
