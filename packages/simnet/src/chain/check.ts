import { checkApplication, isClass } from '@org/abci'
import { messageOf } from '@org/runtime'
import type { GenesisDoc } from '@org/types/genesis'
import { validatorsFault } from '../network/index.ts'
import { CHAIN_ERRORS, ChainError } from './errors.ts'
import type { ChainOptions } from './options.ts'

/** Times of blocks end with the year 9999; at most a hundred years per step leave room for many steps. */
const LONGEST_MS = 100 * 365 * 86_400_000
/** The clock ticks from block to block: a month of ticks takes seconds of real time. */
const LONGEST_BLOCK_MS = 31 * 86_400_000
const MOST_BLOCKS = 1_000_000_000

/** Throws a {@link ChainError} if it is not a whole number in this range. */
function checkWhole(name: string, value: number, [least, most]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw badOption(`${name} is ${value}: it must be a whole number from ${least} to ${most}`)
}

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
const GENESIS: Readonly<Record<keyof GenesisDoc, true>> = {
  genesisTime: true,
  chainId: true,
  initialHeight: true,
  consensusParams: true,
  validators: true,
  appHash: true,
  appState: true,
}

/** Throws a {@link ChainError} if an object has a member with another name than these. */
function checkNames(what: string, given: object, known: object): void {
  const names = Object.keys(known)
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue
    const meant = names.find((each) => each.toLowerCase() === name.toLowerCase().replaceAll('_', ''))
    const hint = meant === undefined ? `the names are ${names.join(', ')}` : `write ${meant}`
    throw badOption(`${what} ${name} does not exist: ${hint}`)
  }
}

function checkApp(app: unknown): void {
  if (isClass(app)) throw badOption(`app is the class ${app.name}: write createChain({ app: () => new ${app.name}() })`)
  if (typeof app === 'function') return
  if (typeof app !== 'object' || app === null) {
    throw badOption('app must be an application, or a function that makes one: createChain({ app: () => … })')
  }
  checkMade(app, '')
}

/** Throws a {@link ChainError} if `app` cannot be an application. `from` begins the message. */
export function checkMade(app: unknown, from: string): void {
  try {
    checkApplication(app)
  } catch (cause) {
    throw badOption(`${from}${messageOf(cause)}`)
  }
}

/** Throws a {@link ChainError} for invalid options. */
export function checkOptions(options: ChainOptions): void {
  const { app, validators = 1, powers = [], blockTime = 1000, answerWithin = 1, genesis = {} } = options
  checkNames('the option', options, OPTIONS)
  checkNames('the genesis member', genesis, GENESIS)
  checkApp(app)
  const fault = validatorsFault({ validators, powers: wholePowers(powers) })
  if (fault !== undefined) throw badOption(fault)
  checkWhole('blockTime', blockTime, [1, LONGEST_BLOCK_MS])
  checkWhole('answerWithin', answerWithin, [1, LONGEST_MS])
}

/** Powers as bigints. A value that is not a whole number stays as it is, and is refused later. */
export function wholePowers(powers: readonly (bigint | number)[]): readonly bigint[] {
  return powers.map((power) => (Number.isSafeInteger(power) ? BigInt(power) : power) as bigint)
}

/**
 * The JSON text of a genesis document's application state. Throws a {@link ChainError} if the state cannot be JSON.
 */
export function appStateText(state: string | object): string {
  if (state === '') return state
  try {
    if (typeof state === 'string') JSON.parse(state)
    else return JSON.stringify(state)
  } catch (cause) {
    throw badOption(`genesis.appState must be JSON text, or an object that JSON can hold: ${messageOf(cause)}`)
  }
  return state
}

/** Throws a {@link ChainError} for an invalid step. */
export function checkAdvance({ blocks = 0, time = 0 }: { readonly blocks?: number; readonly time?: number }): void {
  checkWhole('blocks', blocks, [0, MOST_BLOCKS])
  if (!(time >= 0 && time <= LONGEST_MS)) throw badOption(`time is ${time}: it must be from 0 to ${LONGEST_MS} ms`)
}

export function badOption(message: string): ChainError {
  return new ChainError(CHAIN_ERRORS.badOption, message)
}
