import type { TimedAction } from '../session/action.ts'
import type { Happening } from '../session/happening.ts'
import type { Setup } from '../session/setup.ts'

/** A statement about a run that the page can confirm. */
export interface Claim {
  readonly text: string
  readonly holds: (happenings: readonly Happening[]) => boolean
}

export interface Choice {
  readonly text: string
  readonly isRight: boolean
}

/** A prepared network that teaches one thing. */
export interface Scenario {
  /** The name in an address. */
  readonly id: string
  readonly title: string
  /** A few plain sentences. */
  readonly story: readonly string[]
  readonly lookFor: string
  readonly setup: Setup
  readonly actions: readonly TimedAction[]
  /** The bug that is planted in the nodes. */
  readonly bug?: string
  /** The time by which everything has happened, in virtual milliseconds. */
  readonly lastsMs: number
  /** A speed at which a person can follow the scenario. */
  readonly speed: number
  /** The events of the run, in their order. */
  readonly claims: readonly Claim[]
  readonly question: string
  readonly choices: readonly Choice[]
  /** The answer in full. */
  readonly answer: string
}
