import { validatorsFault } from '../network/index.ts'
import { CHAIN_ERRORS, ChainError } from './errors.ts'
import type { ChainOptions } from './options.ts'

/** Times of blocks end with the year 9999; a hundred years a step leave room for many. */
const LONGEST_MS = 100 * 365 * 86_400_000
/** The clock ticks from block to block: a month of ticks takes seconds. */
const LONGEST_BLOCK_MS = 31 * 86_400_000
const MOST_BLOCKS = 1_000_000_000

/** Throws a {@link ChainError} if it is not a whole number in this range. */
function checkWhole(name: string, value: number, [least, most]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw badOption(`${name} is ${value}: it must be a whole number from ${least} to ${most}`)
}

/** Throws a {@link ChainError} if no chain has these. */
export function checkOptions({
  app,
  validators = 1,
  powers = [],
  blockTime = 1000,
  answerWithin = 1,
}: ChainOptions): void {
  if (typeof app !== 'function' && (typeof app !== 'object' || app === null)) {
    throw badOption('app is neither an application nor a function that makes one')
  }
  const fault = validatorsFault({ validators, powers })
  if (fault !== undefined) throw badOption(fault)
  checkWhole('blockTime', blockTime, [1, LONGEST_BLOCK_MS])
  checkWhole('answerWithin', answerWithin, [1, LONGEST_MS])
}

/** Throws a {@link ChainError} if a chain cannot go on by that. */
export function checkAdvance({ blocks = 0, time = 0 }: { readonly blocks?: number; readonly time?: number }): void {
  checkWhole('blocks', blocks, [0, MOST_BLOCKS])
  if (!(time >= 0 && time <= LONGEST_MS)) throw badOption(`time is ${time}: it must be from 0 to ${LONGEST_MS} ms`)
}

export function badOption(message: string): ChainError {
  return new ChainError(CHAIN_ERRORS.badOption, message)
}
