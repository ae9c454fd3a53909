import { CHAIN_ERRORS, ChainError } from './errors.ts'
import type { ChainOptions } from './options.ts'

/** Times of blocks end with the year 9999; a hundred years a step leave room for many. */
const LONGEST_MS = 100 * 365 * 86_400_000
/** The clock ticks from block to block: a month of ticks takes seconds. */
const LONGEST_BLOCK_MS = 31 * 86_400_000
const MOST_VALIDATORS = 1000
const MOST_BLOCKS = 1_000_000_000

/** Throws a {@link ChainError} if it is not a whole number in this range. */
function checkWhole(name: string, value: number, [least, most]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw badOption(`${name} is ${value}: it must be a whole number from ${least} to ${most}`)
}

export function checkOptions({ validators = 1, powers = [], blockTime = 1000, answerWithin = 1 }: ChainOptions): void {
  checkWhole('validators', validators, [1, MOST_VALIDATORS])
  checkWhole('blockTime', blockTime, [1, LONGEST_BLOCK_MS])
  checkWhole('answerWithin', answerWithin, [1, LONGEST_MS])
  if (powers.length > validators) throw badOption(`there are ${powers.length} powers for ${validators} validators`)
  for (const power of powers) {
    if (typeof power !== 'bigint' || power <= 0n) throw badOption(`the power ${power} is not a bigint above 0`)
  }
}

export function checkAdvance({ blocks = 0, time = 0 }: { readonly blocks?: number; readonly time?: number }): void {
  checkWhole('blocks', blocks, [0, MOST_BLOCKS])
  if (!(time >= 0 && time <= LONGEST_MS)) throw badOption(`time is ${time}: it must be from 0 to ${LONGEST_MS} ms`)
}

function badOption(message: string): ChainError {
  return new ChainError(CHAIN_ERRORS.badOption, message)
}
