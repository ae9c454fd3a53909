import type { Action, TimedAction } from '../session/action.ts'
import type { Conditions } from '../session/conditions.ts'
import type { Happening } from '../session/happening.ts'
import type { Flight } from '../session/moving.ts'
import type { Setup } from '../session/setup.ts'
import type { NodeView } from '../session/view.ts'
import type { WireKind } from '../session/wire-kind.ts'

/** A request of the page to the worker. */
export type Order =
  /** Begins a run. Time stands still at `until`, in virtual milliseconds. */
  | { readonly kind: 'begin'; readonly setup: Setup; readonly actions: readonly TimedAction[]; readonly until: number }
  /** Virtual milliseconds per real millisecond; 0 pauses. */
  | { readonly kind: 'speed'; readonly speed: number }
  | { readonly kind: 'step'; readonly unit: 'event' | 'message' }
  | { readonly kind: 'act'; readonly action: Action }
  /** Time stands still when it reaches `at`; `undefined` lets it pass. */
  | { readonly kind: 'stop-at'; readonly at: number | undefined }

/** The state of the run after a piece of time. */
export interface Update {
  /** The number of the run: each `begin` is one. */
  readonly run: number
  /** Virtual milliseconds. */
  readonly now: number
  /** The present speed; less than the wanted one if the machine is too slow. */
  readonly speed: number
  readonly isPaused: boolean
  /** True while the nodes run up to the moment with which the run begins. */
  readonly isSeeking: boolean
  readonly views: readonly NodeView[]
  readonly conditions: Conditions
  readonly happenings: readonly Happening[]
  readonly left: readonly Flight[]
  readonly over: readonly number[]
  readonly counts: Readonly<Record<WireKind, number>>
  readonly actions: readonly TimedAction[]
  /** The digest of the run; it exists only while time stands still. */
  readonly digest: string | undefined
  /** The error that ended the run. */
  readonly failure: string | undefined
}
