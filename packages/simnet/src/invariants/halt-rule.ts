import { isCodedError } from '@org/runtime'
import type { SimNode } from '../node/index.ts'
import { isRightToStayAway } from './join-check.ts'

/** The rule that an honest node halts only because of an injected fault, and always with a coded error. */
export interface HaltRule {
  /** Called with 1 when a fault begins that may halt the node, and with -1 when this fault is over. */
  readonly expect: (name: string, more: 1 | -1) => void
  /** Returns true if the node may halt now, because of an injected fault. */
  readonly mayHalt: (name: string) => boolean
  /** To be called when an honest node halted. */
  readonly halted: (node: SimNode, error: Error) => void
  /** The number of nodes that rightly refused to start, because their key had signed a recent block. */
  readonly refusedStarts: () => number
}

export function createHaltRule(violate: (rule: string, detail: string) => void): HaltRule {
  const faults = new Map<string, number>()
  let refusedStarts = 0
  const mayHalt = (name: string): boolean => (faults.get(name) ?? 0) > 0
  return {
    expect: (name, more) => void faults.set(name, (faults.get(name) ?? 0) + more),
    mayHalt,
    halted: (node, error) => {
      if (isRightToStayAway(node, error)) refusedStarts++
      else if (!isCodedError(error))
        violate('halt', `${node.name} stopped with an error without a code: ${error.message}`)
      else if (!mayHalt(node.name)) violate('halt', `${node.name} stopped: ${error.code} ${error.message}`)
    },
    refusedStarts: () => refusedStarts,
  }
}
