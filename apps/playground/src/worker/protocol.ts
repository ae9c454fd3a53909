import type { Action, TimedAction } from '../session/action.ts'
import type { Conditions } from '../session/conditions.ts'
import type { Flight } from '../session/in-flight-messages.ts'
import type { NetworkEvent } from '../session/network-event.ts'
import type { Setup } from '../session/setup.ts'
import type { NodeView } from '../session/view.ts'
import type { WireKind } from '../session/wire-kind.ts'

/** A request of the page to the worker. */
export type WorkerCommand =
  /** Begins a run, and pauses at `until`, in virtual milliseconds. */
  | { readonly kind: 'begin'; readonly setup: Setup; readonly actions: readonly TimedAction[]; readonly until: number }
  /** Sets the speed in virtual milliseconds per real millisecond; 0 pauses the run. */
  | { readonly kind: 'speed'; readonly speed: number }
  | { readonly kind: 'step'; readonly unit: 'event' | 'message' }
  | { readonly kind: 'act'; readonly action: Action }
  /** Pauses the run when its virtual time reaches `at`. If `at` is `undefined`, the run is not paused at any time. */
  | { readonly kind: 'stop-at'; readonly at: number | undefined }

/** The state of the run. The worker sends it after each request, and after each frame while time passes. */
export interface WorkerUpdate {
  /** The number of the run. Each request `begin` starts a new run. */
  readonly run: number
  /** The virtual time in milliseconds. */
  readonly now: number
  /** The present speed, which is lower than the wanted speed if the computer is too slow. */
  readonly speed: number
  readonly isPaused: boolean
  /** True while the run has not reached the moment `until` of the request `begin`. */
  readonly isSeeking: boolean
  readonly views: readonly NodeView[]
  readonly conditions: Conditions
  readonly networkEvents: readonly NetworkEvent[]
  readonly sent: readonly Flight[]
  readonly endedIds: readonly number[]
  readonly counts: Readonly<Record<WireKind, number>>
  readonly actions: readonly TimedAction[]
  /** The digest of the run; `undefined` unless the run is paused. */
  readonly digest: string | undefined
  /** The error that ended the run. */
  readonly failure: string | undefined
}
