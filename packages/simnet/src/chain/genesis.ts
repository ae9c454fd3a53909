import { completeAnswer } from '@org/abci'
import { messageOf } from '@org/runtime'
import {
  type ConsensusParams,
  type ConsensusParamsUpdate,
  completeGenesis,
  defaultConsensusParams,
  type GenesisDoc,
  type GenesisValidator,
} from '@org/types'
import { parseTime, type Time, ZERO_TIME } from '@org/types/time'
import { badOption, checkNames, checkObject, wrongValue } from './arguments.ts'
import type { ChainGenesis } from './options.ts'

const MEMBERS: Readonly<Record<keyof GenesisDoc, true>> = {
  genesisTime: true,
  chainId: true,
  initialHeight: true,
  consensusParams: true,
  validators: true,
  appHash: true,
  appState: true,
}

/** The last nanosecond of the year 9999. */
const LAST_TIME = 253_402_300_799_999_999_999n
const NANOS_PER_MS = 1_000_000n

type Read<Name extends keyof ChainGenesis> = (given: NonNullable<ChainGenesis[Name]>) => unknown

/**
 * For each member of the option `genesis`, the function that reads its value. The function throws a `ChainError` for an
 * invalid value.
 */
const READERS: { readonly [Name in keyof ChainGenesis]-?: Read<Name> } = {
  genesisTime: readTime,
  chainId: (given) => {
    if (typeof given !== 'string') throw wrongValue('genesis.chainId', 'text', given)
    return given
  },
  initialHeight: (given) => {
    const height = typeof given === 'bigint' ? Number(given) : given
    if (Number.isSafeInteger(height) && height >= 0) return height
    throw wrongValue(
      'genesis.initialHeight',
      'a whole number from 1 (a number, or a bigint that is a safe integer)',
      given,
    )
  },
  consensusParams: readParams,
  validators: readValidators,
  appHash: (given) => {
    if (given instanceof Uint8Array) return given
    throw wrongValue('genesis.appHash', 'bytes (a Uint8Array; for hex, Buffer.from(text, "hex"))', given)
  },
  appState: appStateText,
}

/**
 * Returns the given members with the types that they have in a genesis document. Throws a `ChainError` that names the
 * invalid member.
 */
export function genesisMembers(given: ChainGenesis): Partial<GenesisDoc> {
  checkObject('genesis', given, '{ appState: { … } }')
  checkNames('the genesis member', given, MEMBERS)
  const members: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(defined(given))) {
    members[name] = READERS[name as keyof ChainGenesis](value as never)
  }
  const whole = {
    genesisTime: ZERO_TIME,
    chainId: 'test-chain',
    initialHeight: 1,
    consensusParams: defaultConsensusParams(),
    validators: [],
    appHash: new Uint8Array(0),
    appState: '',
    ...members,
  }
  try {
    completeGenesis(whole)
  } catch (cause) {
    throw badOption(`genesis: ${messageOf(cause)}`)
  }
  return members
}

function readTime(given: Time | Date | string): Time {
  const time = timeOf(given)
  if (typeof time === 'bigint' && time >= ZERO_TIME && time <= LAST_TIME) return time
  const wanted = 'nanoseconds since 1970 (a bigint), a valid Date, or text such as "2024-01-31T12:00:00Z"'
  throw wrongValue('genesis.genesisTime', wanted, given)
}

/** Returns nanoseconds since 1970, or `undefined` for an invalid `Date` or text. */
function timeOf(given: Time | Date | string): Time | undefined {
  if (typeof given === 'string') return parseTime(given)
  if (!(given instanceof Date)) return given
  return Number.isNaN(given.getTime()) ? undefined : BigInt(given.getTime()) * NANOS_PER_MS
}

/** Returns the given parameters, completed by the defaults. */
function readParams(given: NonNullable<ChainGenesis['consensusParams']>): ConsensusParams {
  checkObject('genesis.consensusParams', given, '{ block: { maxBytes: 1_000_000n } }')
  const defaults = defaultConsensusParams()
  const params: Record<string, unknown> = { ...defaults }
  for (const [name, group] of Object.entries(defined(given))) {
    const isObject = typeof group === 'object' && group !== null
    params[name] = isObject ? { ...defaults[name as keyof ConsensusParams], ...defined(group) } : group
  }
  const { consensusParams } = checked(() => completeAnswer('initChain', { consensusParams: params }))
  // The result has all groups, because `defaults` contains each group that `consensusParams` leaves out.
  return { ...defaults, ...(consensusParams as ConsensusParamsUpdate) } as ConsensusParams
}

/** Returns the object without the members that are `undefined`. */
function defined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function readValidators(given: NonNullable<ChainGenesis['validators']>): readonly GenesisValidator[] {
  const updates = Array.isArray(given) ? given.map((each) => ({ pubKey: each?.pubKey, power: each?.power })) : given
  const { validators } = checked(() => completeAnswer('initChain', { validators: updates }))
  return validators.map(({ pubKey, power }, index) => {
    const { address = new Uint8Array(0), name = '' } = given[index] as Partial<GenesisValidator>
    if (!(address instanceof Uint8Array)) throw wrongValue(`genesis.validators[${index}].address`, 'bytes', address)
    if (typeof name !== 'string') throw wrongValue(`genesis.validators[${index}].name`, 'text', name)
    return { address, pubKey, power, name }
  })
}

/**
 * Runs `complete`, which checks members of the genesis document in the same way as the members of an answer to
 * InitChain. An error of this check begins with `initChain: `. This beginning is replaced by `genesis.`, so that the
 * error names the member of the genesis document.
 */
function checked<T>(complete: () => T): T {
  try {
    return complete()
  } catch (cause) {
    throw badOption(messageOf(cause).replace('initChain: ', 'genesis.'))
  }
}

/** Returns the application's state as JSON text. */
function appStateText(state: unknown): string {
  const wanted = 'JSON text, or an object that JSON can hold'
  if (state instanceof Map || state instanceof Set) throw wrongValue('genesis.appState', wanted, state)
  if (state === '') return ''
  try {
    if (typeof state === 'object') return JSON.stringify(state)
    if (typeof state === 'string') JSON.parse(state)
  } catch (cause) {
    throw badOption(`genesis.appState must be ${wanted}: ${messageOf(cause)}`)
  }
  if (typeof state !== 'string') throw wrongValue('genesis.appState', wanted, state)
  return state
}
