import '../platform/set-immediate.ts'
import { createSystemClock } from '@org/runtime'
import { createSession, type Session } from '../session/session.ts'
import type { WorkerCommand, WorkerUpdate } from './protocol.ts'

/** The real time between two updates that the worker sends to the page, in milliseconds. */
const FRAME_MS = 16
/** The maximum real time for which the simulation runs in each frame, in milliseconds. */
const BUDGET_MS = 14
/** The real time between two updates while the request `begin` runs the nodes up to `until`, in milliseconds. */
const SEEK_MS = 60

const clock = createSystemClock()

let session: Session | undefined
let run = 0
let speed = 0
let stopAt: number | undefined
let failure: string | undefined
/** The request that runs now. Each request waits until the request before it has ended. */
let work: Promise<void> = Promise.resolve()

const post = (update: WorkerUpdate): void =>
  (globalThis as unknown as { postMessage: (update: WorkerUpdate) => void }).postMessage(update)

function update(isPaused: boolean, achieved: number, isSeeking = false): void {
  if (session === undefined) return
  const { sent, endedIds } = session.takeTraffic()
  post({
    ...{ run, now: session.now(), speed: achieved, isPaused, isSeeking, sent, endedIds, failure },
    views: session.views(),
    conditions: session.conditions(),
    networkEvents: session.takeNetworkEvents(),
    counts: session.counts(),
    actions: session.actions(),
    digest: isPaused && !isSeeking ? session.digest() : undefined,
  })
}

const pause = (): void => {
  speed = 0
}

/** Lets virtual time pass at the wanted speed. Stops after the real time that one frame may take (`BUDGET_MS`). */
async function passTime(realMs: number): Promise<void> {
  if (session === undefined || speed === 0) return
  const from = session.now()
  const wanted = Math.min(from + realMs * speed, stopAt ?? Number.POSITIVE_INFINITY)
  const end = clock.monotonic() + BUDGET_MS
  await session.advance(wanted, () => clock.monotonic() > end)
  if (stopAt !== undefined && session.now() >= stopAt) {
    pause()
    stopAt = undefined
    await session.settle()
  }
  update(speed === 0, (session.now() - from) / realMs)
}

async function begin({ setup, actions, until }: Extract<WorkerCommand, { readonly kind: 'begin' }>): Promise<void> {
  run++
  pause()
  failure = undefined
  stopAt = undefined
  session = createSession(setup, actions)
  for (let isThere = until === 0; !isThere; update(true, 0, !isThere)) {
    const end = clock.monotonic() + SEEK_MS
    isThere = await session.advance(until, () => clock.monotonic() > end)
  }
  update(true, 0)
}

async function obey(order: WorkerCommand): Promise<void> {
  if (order.kind === 'begin') return begin(order)
  if (session === undefined) return
  if (order.kind === 'act') await session.act(order.action)
  if (order.kind === 'step') await session.step(order.unit)
  if (order.kind === 'speed') ({ speed } = order)
  if (order.kind === 'stop-at') stopAt = order.at
  if (speed === 0) await session.settle()
  update(speed === 0, speed)
}

function enqueue(job: () => Promise<void>): Promise<void> {
  work = work.then(job).catch((error: unknown) => {
    failure = error instanceof Error ? error.message : String(error)
    pause()
    update(true, 0)
  })
  return work
}

globalThis.addEventListener('message', ({ data }: MessageEvent<WorkerCommand>) => void enqueue(() => obey(data)))

let last = clock.monotonic()
function frame(): void {
  const now = clock.monotonic()
  const realMs = Math.min(now - last, 100)
  last = now
  void enqueue(() => passTime(realMs)).then(() => clock.after(Math.max(0, FRAME_MS - (clock.monotonic() - now)), frame))
}
frame()
