import type { TimedAction } from '../session/action.ts'
import type { NetworkEvent } from '../session/network-event.ts'
import type { Setup } from '../session/setup.ts'

/** A statement about a run that the page can confirm. */
export interface Claim {
  readonly text: string
  readonly holds: (networkEvents: readonly NetworkEvent[]) => boolean
}

export interface Choice {
  readonly text: string
  readonly isRight: boolean
}

/** A prepared network that teaches one thing. */
export interface Scenario {
  /** The name of the scenario in an address. */
  readonly id: string
  readonly title: string
  /** The description of the scenario, in a few plain sentences. */
  readonly story: readonly string[]
  readonly lookFor: string
  readonly setup: Setup
  readonly actions: readonly TimedAction[]
  /** The name of the bug that is planted in the nodes. Default: no bug. */
  readonly bug?: string
  /** The virtual time at which all claims of the scenario have come true, in milliseconds. */
  readonly lastsMs: number
  /** A speed at which a person can follow the scenario. */
  readonly speed: number
  /** The statements that come true in the run, in this order. */
  readonly claims: readonly Claim[]
  readonly question: string
  readonly choices: readonly Choice[]
  /** The explanation of the right choice. The page shows it when the user makes this choice. */
  readonly answer: string
}
