import type { EventAnswer, ValidatorUpdateAnswer } from '@org/abci'
import { MAX_TOTAL_VOTING_POWER } from '@org/types'
import { isKeyType, PUBLIC_KEY_SIZES, type PublicKey } from '@org/types/crypto'
import { APP_ERRORS, AppError, refusal, TX_CODES } from '../errors.ts'
import type { Meter, ReadState, State } from '../state/index.ts'

/** The gas of an access to the state. The bytes of key and value cost further gas. */
const GAS = { read: 10, write: 50 } as const
/** The gas of an event, and of each of its attributes. The characters of names and values cost further gas. */
const EVENT_GAS = 10
/** The gas of a change of a validator's power. */
const VALIDATOR_GAS = 50
const NANOSECONDS = 1_000_000n

/** The block in which a handler runs. */
export interface BlockInfo {
  readonly chainId: string
  readonly height: number
  /** The time of the block, in milliseconds since 1970: the only clock that all nodes share. */
  readonly time: number
}

/**
 * The block and the state that a handler reads, and the functions by which it adds events, uses gas and changes
 * validators.
 */
export interface Context extends BlockInfo {
  readonly state: State
  /**
   * The signer's address, in hex. Empty if transactions have no signatures, and in handlers that belong to no
   * transaction: the genesis, and the begin and the end of a block.
   */
  readonly signer: string
  /**
   * Adds an event. Clients find the event by its attributes, in searches and subscriptions with queries such as
   * `transfer.to='...'`. Uses gas, because the node stores and indexes each event.
   */
  readonly emit: (type: string, attributes?: Readonly<Record<string, string | number | bigint>>) => void
  /**
   * Uses `amount` gas, in addition to the gas of the accesses to the state. Refuses the transaction if its gas would
   * exceed the limit.
   */
  readonly useGas: (amount: number) => void
  /**
   * Changes the power of a validator after this block; 0 removes the validator. Uses gas of the transaction. Throws an
   * `AppError` (`APP_BAD_OPTION`) if no chain can have this key or this power.
   *
   * The other rules depend on the validator set, which the application must keep itself. The chain stops if a removed
   * key is not a validator, if no validator is left, or if the sum of all powers is above 2^60 - 1.
   */
  readonly setValidator: (pubKey: PublicKey, power: bigint) => void
}

/** The state that a query reads. */
export interface QueryContext {
  readonly state: ReadState
  readonly height: number
}

/** The gas of one transaction. */
export interface GasMeter {
  readonly use: (amount: number) => void
  readonly used: () => number
  readonly meter: Meter
}

/** Creates a counter of gas, which refuses the transaction when it uses more than `limit`. */
export function createGasMeter(limit: number): GasMeter {
  let used = 0
  const use = (amount: number): void => {
    if (!Number.isSafeInteger(amount) || amount < 0) {
      throw new AppError(APP_ERRORS.option, `useGas takes a whole number from 0, got ${amount}`)
    }
    // The used gas never exceeds the limit, so it stays a safe integer.
    const isEnough = amount <= limit - used
    used = isEnough ? used + amount : limit
    if (!isEnough) throw refusal(TX_CODES.outOfGas, `out of gas: the transaction may use at most ${limit} units of gas`)
  }
  return { use, used: () => used, meter: (access, bytes) => use(GAS[access] + bytes) }
}

export interface Effects {
  readonly events: EventAnswer[]
  readonly validators: ValidatorUpdateAnswer[]
}

/**
 * Throws an {@link AppError} if no chain can have a validator with this key and this power. The node cannot continue
 * after a block with such an update, so one transaction would stop the chain.
 */
function checkUpdate(pubKey: PublicKey, power: bigint): void {
  const isKey = isKeyType(pubKey?.type) && pubKey.bytes instanceof Uint8Array
  if (!isKey || pubKey.bytes.length !== PUBLIC_KEY_SIZES[pubKey.type]) {
    const message = 'setValidator needs a public key: { type, bytes } with 32 bytes for ed25519 or 33 for secp256k1'
    throw new AppError(APP_ERRORS.option, message)
  }
  const isWhole = typeof power === 'bigint' || Number.isSafeInteger(power)
  if (isWhole && power >= 0n && power <= MAX_TOTAL_VOTING_POWER) return
  const message = `the power of a validator is a whole number from 0 to ${MAX_TOTAL_VOTING_POWER}, got ${String(power)}`
  throw new AppError(APP_ERRORS.option, message)
}

interface ContextParts {
  readonly block: BlockInfo
  readonly state: State
  readonly gas: GasMeter
  readonly signer: string
}

/** Creates the context of a handler. Collects the handler's events, and its changes of validators' powers. */
export function createContext({ block, state, gas, signer }: ContextParts): Effects & { readonly context: Context } {
  const events: EventAnswer[] = []
  const validators: ValidatorUpdateAnswer[] = []
  const context: Context = {
    ...block,
    state,
    signer,
    useGas: gas.use,
    emit: (type, attributes = {}) => {
      gas.use(EVENT_GAS + type.length)
      const list = Object.entries(attributes).map(([key, attribute]) => {
        const value = String(attribute)
        gas.use(EVENT_GAS + key.length + value.length)
        return { key, value, index: true }
      })
      events.push({ type, attributes: list })
    },
    setValidator: (pubKey, power) => {
      gas.use(VALIDATOR_GAS)
      checkUpdate(pubKey, power)
      validators.push({ pubKey, power })
    },
  }
  return { context, events, validators }
}

/** Converts a time in nanoseconds to milliseconds. */
export const toMilliseconds = (time: bigint): number => Number(time / NANOSECONDS)
