import { type Clock, type Logger, messageOf } from '@org/runtime'
import type { FindInvalid, Fraction } from '@org/types'
import { HASH_SIZE } from '@org/types/crypto'
import { LIGHT_ERRORS, type LightError, lightError } from '../errors.ts'
import type { Provider } from '../provider/port.ts'
import type { LightStore } from '../store/port.ts'
import { DEFAULT_TRUST_LEVEL, validateTrustLevel } from '../verifier/trust-level.ts'

/** The header that the user trusts, from a source other than the providers. */
export interface TrustRoot {
  readonly height: number
  /** The header's hash, 32 bytes. */
  readonly hash: Uint8Array
}

/** The options of a light client. Durations are in nanoseconds. */
export interface LightClientOptions {
  readonly chainId: string
  /** The header to trust. Without this option, the client continues from the store. */
  readonly trust?: TrustRoot
  /**
   * The time for which a header is trusted, counted from the time in the header. It must be clearly shorter than the
   * unbonding period.
   */
  readonly trustingPeriod: bigint
  /** `skipping` requests few headers, `sequential` requests every header. Default: `skipping`. */
  readonly mode?: 'skipping' | 'sequential'
  /**
   * The trust level, a fraction from 1/3 to 1. If the client skips blocks, validators with more than this fraction of
   * the trusted power must have signed the next header. Default: 1/3.
   */
  readonly trustLevel?: Fraction
  /** The maximum time by which the time of a header may be ahead of the client's clock. Default: 10 s. */
  readonly maxClockDrift?: bigint
  /** The maximum time that a new block needs to reach a witness. Default: 10 s. */
  readonly maxBlockLag?: bigint
  /**
   * Whether blocks may be verified backwards, from a higher trusted block. This is necessary if no trusted block is
   * below the requested height, or if the nearest one below it has expired. The client then fetches every header from
   * the higher trusted block down to the requested height, which can take long. If false, such a call rejects with
   * `LIGHT_BACKWARDS` before a request is sent. Default: true.
   */
  readonly backwards?: boolean
  /** The maximum number of blocks that the store keeps. Default: 1,000; 0 keeps all blocks. */
  readonly pruningSize?: number
  /**
   * The maximum number of verifications in one call. Default: 100,000. Before a call stops at this limit, it has saved
   * at least every 128th verified block. The next call continues from the last saved block.
   */
  readonly maxSteps?: number
}

/** The progress of a call that verifies blocks. */
export interface LightProgress {
  readonly direction: 'forwards' | 'backwards'
  /** The trusted height from which the verification began. */
  readonly from: number
  /** The last verified height. */
  readonly at: number
  /** The height of the block that the call verifies. */
  readonly to: number
  /**
   * The names of the witnesses that have the same header as the primary at the height `at`. This member is absent if
   * the direction is `backwards`.
   */
  readonly confirmedBy?: readonly string[]
}

/** The nodes of a light client, its store, and the other services that it uses, such as the clock. */
export interface LightClientModules {
  /** The node from which the client receives headers. */
  readonly primary: Provider
  /**
   * Nodes other than the primary, at least one. The witnesses confirm the headers of the primary. At least one witness
   * must be honest.
   */
  readonly witnesses: readonly Provider[]
  readonly store: LightStore
  /** The clock. Default: the system's clock. */
  readonly clock?: Clock
  readonly logger?: Logger
  /**
   * Asks the user before stored blocks are removed. `action` is the text of the question to the user. The blocks are
   * removed if the function returns true. Without this function, the blocks are removed, and the user is not asked.
   */
  readonly confirm?: (action: string) => boolean | Promise<boolean>
  readonly onProgress?: (progress: LightProgress) => void
  /** The function that finds the first invalid signature. Default: the back end of `@org/types`. */
  readonly findInvalid?: FindInvalid
}

export type Settings = Required<Omit<LightClientOptions, 'trust'>>

const SECOND = 1_000_000_000n

function wrong(option: string, reason: string): LightError {
  return lightError(LIGHT_ERRORS.option, `the option ${option} ${reason}`, { data: { option } })
}

const isCount = (value: number, least: number): boolean => Number.isSafeInteger(value) && value >= least

function checkTrust({ height, hash }: TrustRoot): void {
  if (!isCount(height, 1)) throw wrong('trust.height', `must be a whole number from 1, got ${height}`)
  if (hash.length !== HASH_SIZE) throw wrong('trust.hash', `must have ${HASH_SIZE} bytes, got ${hash.length}`)
}

/**
 * Checks options and providers, and adds the defaults. Throws {@link LightError} (`LIGHT_OPTION`, `LIGHT_TRUST_LEVEL`,
 * `LIGHT_NO_WITNESSES`).
 */
export function settingsOf(
  { trust, ...options }: LightClientOptions,
  { primary, witnesses }: Pick<LightClientModules, 'primary' | 'witnesses'>,
): Settings {
  const settings: Settings = {
    mode: 'skipping',
    trustLevel: DEFAULT_TRUST_LEVEL,
    maxClockDrift: 10n * SECOND,
    maxBlockLag: 10n * SECOND,
    backwards: true,
    pruningSize: 1000,
    maxSteps: 100_000,
    ...options,
  }
  if (trust !== undefined) checkTrust(trust)
  if (settings.trustingPeriod <= 0n) throw wrong('trustingPeriod', 'must be above 0')
  for (const name of ['maxClockDrift', 'maxBlockLag'] as const)
    if (settings[name] < 0n) throw wrong(name, 'must not be negative')
  if (!isCount(settings.pruningSize, 0)) throw wrong('pruningSize', 'must be a whole number from 0')
  if (!isCount(settings.maxSteps, 1)) throw wrong('maxSteps', 'must be a whole number from 1')
  validateTrustLevel(settings.trustLevel)
  if (witnesses.length === 0) throw noWitnesses()
  for (const { chainId, name } of [primary, ...witnesses]) {
    if (chainId === settings.chainId) continue
    const [got, want] = [chainId, settings.chainId].map((id) => JSON.stringify(id))
    throw wrong('chainId', `is ${want}, and the provider ${name} is of the chain ${got}`)
  }
  return settings
}

/** Makes the error for a client that has no witness left. `cause` is the error of the node that failed last. */
export function noWitnesses(cause?: unknown): LightError {
  const reason = cause === undefined ? '' : ` (${messageOf(cause)})`
  const message = `no witness is left that could confirm a header${reason}: give the client other nodes as witnesses`
  return lightError(LIGHT_ERRORS.noWitnesses, message, { data: {}, cause })
}

/** Makes the error for a store without a block from which a verification could begin. */
export function noTrustedBlock(): LightError {
  const message = 'the store has no trusted block: give the client a height and a hash to trust'
  return lightError(LIGHT_ERRORS.noTrustedBlock, message, { data: {} })
}
