import type { NetworkOptions } from '@org/simnet/network'

/** A network, before anything happens to it. The same setup and the same actions give the same run. */
export interface Setup {
  /** The source of all random choices, such as the delay of each message, or whether a liar lies. */
  readonly seed: number
  readonly validators: number
  /** The power of each validator. A validator without an entry has the power 10. */
  readonly powers: readonly number[]
  /** The minimum and the maximum time that a message takes, in milliseconds. */
  readonly latencyMs: readonly [low: number, high: number]
  /** The time between two transactions of clients in milliseconds; 0 for no transactions. */
  readonly txEveryMs: number
}

export const MIN_VALIDATORS = 4
export const MAX_VALIDATORS = 40
export const MAX_SEED = 999_999

export const DEFAULT_SETUP: Setup = { seed: 1, validators: 4, powers: [], latencyMs: [30, 90], txEveryMs: 0 }

const MS = 1_000_000n

/**
 * The virtual time, in milliseconds, between two checks that the queues and caches of each node are within their
 * bounds.
 */
const WATCH_EVERY_MS = 500

/**
 * Returns the options of the simulated network. The timeouts are shorter than the defaults of the reference, so that a
 * user does not wait long for the end of a round without a proposal.
 */
export function networkOptions(setup: Setup): Partial<NetworkOptions> & Pick<NetworkOptions, 'seed'> {
  return {
    seed: setup.seed,
    validators: setup.validators,
    powers: setup.powers.map(BigInt),
    wire: { latencyMs: setup.latencyMs, bandwidth: 5_000_000 },
    txEveryMs: setup.txEveryMs,
    watchEveryMs: WATCH_EVERY_MS,
    keepTrace: 0,
    consensus: {
      timeoutPropose: 1000n * MS,
      timeoutProposeDelta: 500n * MS,
      timeoutPrevote: 500n * MS,
      timeoutPrevoteDelta: 500n * MS,
      timeoutPrecommit: 500n * MS,
      timeoutPrecommitDelta: 500n * MS,
      timeoutCommit: 700n * MS,
    },
  }
}
