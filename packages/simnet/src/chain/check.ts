import { checkApplication, isClass, METHOD_NAMES } from '@org/abci'
import { messageOf } from '@org/runtime'
import { validatorsFault } from '../network/index.ts'
import { badOption, checkNames, checkObject, checkWhole, shown, wrongValue } from './arguments.ts'
import type { Advance, ChainOptions } from './options.ts'

/**
 * The maximum step of the clock: a hundred years. A test can make dozens of steps of this length: the time of a block
 * may be as late as the end of the year 9999.
 */
const MAX_MS = 100 * 365 * 86_400_000
/**
 * The maximum time between two blocks: 31 days. The clock of the network also ticks between two blocks, and the ticks
 * of a month take seconds of real time.
 */
const MAX_BLOCK_MS = 31 * 86_400_000
const MAX_BLOCKS = 1_000_000_000

const OPTIONS: Readonly<Record<keyof ChainOptions, true>> = {
  app: true,
  validators: true,
  powers: true,
  automine: true,
  blockTime: true,
  answerWithin: true,
  genesis: true,
  logger: true,
}
function checkApp(app: unknown): void {
  if (isClass(app)) throw badOption(`app is the class ${app.name}: write createChain({ app: () => new ${app.name}() })`)
  if (typeof app === 'function') return
  if (typeof app !== 'object' || app === null) {
    throw badOption('app must be an application, or a function that makes one: createChain({ app: () => … })')
  }
  checkMade(app, '')
}

/** Throws a {@link ChainError} if `app` is not a valid application. The error message begins with `from`. */
export function checkMade(app: unknown, from: string): void {
  try {
    checkApplication(app)
  } catch (cause) {
    throw badOption(`${from}${messageOf(cause)}`)
  }
}

/** Throws a {@link ChainError} for invalid options. */
export function checkOptions(options: ChainOptions): void {
  if (typeof options === 'function') throw badOption('createChain needs options: write createChain({ app: … })')
  checkObject('createChain: options', options, '{ app: () => … }')
  const { app, validators = 1, powers = [], blockTime = 1000, answerWithin = 1, automine = true } = options
  if (METHOD_NAMES.some((name) => name in options)) {
    throw badOption('the options are an application: write createChain({ app: … })')
  }
  checkNames('the option', options, OPTIONS)
  checkApp(app)
  if (!Array.isArray(powers)) throw wrongValue('powers', 'a list such as [10, 20]', powers)
  const fault = validatorsFault({ validators, powers: wholePowers(powers) })
  if (fault !== undefined) throw badOption(fault)
  if (typeof automine !== 'boolean') throw wrongValue('automine', 'true or false', automine)
  checkWhole('blockTime', blockTime, [1, MAX_BLOCK_MS])
  checkWhole('answerWithin', answerWithin, [1, MAX_MS])
}

/** Powers as bigints. A value that is not a whole number stays as it is, and is refused later. */
export function wholePowers(powers: readonly (bigint | number)[]): readonly bigint[] {
  return powers.map((power) => (Number.isSafeInteger(power) ? BigInt(power) : power) as bigint)
}

const STEP: Readonly<Record<keyof Advance, true>> = { blocks: true, time: true }
const STEP_EXAMPLE = '{ blocks: 5 } or { time: 60_000 }'

/** Throws a {@link ChainError} for an invalid step. */
export function checkAdvance(by: Advance): void {
  checkObject('advance: by', by, STEP_EXAMPLE)
  checkNames('advance: the member', by, STEP)
  const { blocks = 0, time = 0 } = by
  checkWhole('blocks', blocks, [0, MAX_BLOCKS])
  if (typeof time === 'number' && time >= 0 && time <= MAX_MS) return
  throw badOption(`time is ${shown(time)}: it must be from 0 to ${MAX_MS} ms`)
}
