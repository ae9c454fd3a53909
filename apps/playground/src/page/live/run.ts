import { createSystemClock } from '@org/runtime'
import { batch, computed, signal } from '@preact/signals'
import type { Action } from '../../session/action.ts'
import type { Conditions } from '../../session/conditions.ts'
import { describe, type Entry } from '../../session/describe.ts'
import { roundUpToMicroseconds } from '../../session/microseconds.ts'
import type { NetworkEvent } from '../../session/network-event.ts'
import { type Run, writeRun } from '../../session/run-address.ts'
import type { NodeView } from '../../session/view.ts'
import { WIRE_KINDS, type WireKind } from '../../session/wire-kind.ts'
import type { WorkerUpdate } from '../../worker/protocol.ts'
import { createFlights } from './flights.ts'
import { type NetworkWorker, startWorker } from './worker.ts'

/** The maximum number of entries of the log that the page keeps. */
const MAX_ENTRIES = 1000
/**
 * The page keeps a list of what happened in the network, such as a prevote or a decided block. This is the maximum
 * length of the list.
 */
const MAX_NETWORK_EVENTS = 50_000
/**
 * The slowest speed that a user can choose, in virtual time per real time. To pause a run, the user presses a button.
 */
export const SLOWEST = 0.01
export const FASTEST = 8
export const DEFAULT_SPEED = 0.2

const NO_CONDITIONS: Conditions = { cut: [], lies: new Map(), slow: new Map() }

/** The run that the page shows, with the actions with which it began. */
export const run = signal<Run | undefined>(undefined)
export const now = signal(0)
export const isPlaying = signal(false)
export const speed = signal(DEFAULT_SPEED)
/** The speed that this computer reaches, which can be lower than the chosen speed. */
export const reached = signal(0)
export const views = signal<readonly NodeView[]>([])
export const conditions = signal<Conditions>(NO_CONDITIONS)
export const entries = signal<readonly Entry[]>([])
export const networkEvents = signal<readonly NetworkEvent[]>([])
export const counts = signal<Readonly<Record<WireKind, number>>>(
  Object.fromEntries(WIRE_KINDS.map((kind) => [kind, 0])) as Record<WireKind, number>,
)
export const digest = signal('')
export const failure = signal<string | undefined>(undefined)
/**
 * True while the simulation runs to a moment that the user chose on the time line, or that the page's address names.
 */
export const isSeeking = signal(false)
export const violations = computed(() => networkEvents.value.filter((each) => each.what === 'violation'))
export const blocks = computed(() => networkEvents.value.filter((each) => each.what === 'block'))

export const flights = createFlights(createSystemClock())

let worker: NetworkWorker | undefined
let workerBug: string | undefined
let actions: WorkerUpdate['actions'] = []
/** The number of the run that the page shows. The page ignores late updates of earlier runs. */
let runNumber = 0
let begun = 0

function appendBounded<T>(old: readonly T[], added: readonly T[], maxLength: number): readonly T[] {
  if (added.length === 0) return old
  const all = [...old, ...added]
  return all.length > maxLength ? all.slice(all.length - maxLength) : all
}

function applyUpdate(update: WorkerUpdate): void {
  if (update.run !== runNumber) return
  flights.apply(update)
  batch(() => {
    now.value = update.now
    views.value = update.views
    conditions.value = update.conditions
    counts.value = update.counts
    reached.value = update.speed
    isPlaying.value = !update.isPaused
    isSeeking.value = update.isSeeking
    if (update.digest !== undefined) digest.value = update.digest
    failure.value = update.failure
    networkEvents.value = appendBounded(networkEvents.value, update.networkEvents, MAX_NETWORK_EVENTS)
    entries.value = appendBounded(
      entries.value,
      update.networkEvents.flatMap((each) => describe(each) ?? []),
      MAX_ENTRIES,
    )
    actions = update.actions
  })
}

/** Begins a run from its seed, and runs it up to the moment `until`. */
export function begin(next: Run): void {
  if (worker === undefined || workerBug !== next.bug) {
    worker?.end()
    begun = 0
    worker = startWorker(next.bug, applyUpdate)
    workerBug = next.bug
  }
  runNumber = ++begun
  flights.clear()
  batch(() => {
    run.value = next
    isPlaying.value = false
    isSeeking.value = true
    now.value = 0
    views.value = []
    conditions.value = NO_CONDITIONS
    entries.value = []
    networkEvents.value = []
    digest.value = ''
    failure.value = undefined
  })
  actions = next.actions
  worker.send({ kind: 'begin', setup: next.setup, actions: next.actions, until: next.until })
}

/** Shows another moment of the same run. The nodes run again, from the beginning to this moment. */
export function goTo(at: number): void {
  if (run.value !== undefined) begin({ ...run.value, actions, until: Math.max(0, roundUpToMicroseconds(at) / 1000) })
}

/** Begins the same run again, with the actions that it began with. */
export function restart(): void {
  if (run.value !== undefined) begin({ ...run.value, until: 0 })
}

export function setPlaying(wanted: boolean): void {
  isPlaying.value = wanted
  worker?.send({ kind: 'speed', speed: wanted ? speed.value : 0 })
}

export function setSpeed(wanted: number): void {
  speed.value = Math.min(FASTEST, Math.max(SLOWEST, wanted))
  if (isPlaying.value) worker?.send({ kind: 'speed', speed: speed.value })
}

export function step(unit: 'event' | 'message'): void {
  setPlaying(false)
  worker?.send({ kind: 'step', unit })
}

export function act(action: Action): void {
  worker?.send({ kind: 'act', action })
}

/** Returns an address that opens the present run at the present moment. */
export function addressOfRun(): string {
  const current = run.value
  if (current === undefined) return location.href
  return `${location.href.split('#')[0]}#${writeRun({ ...current, actions, until: now.value })}`
}
