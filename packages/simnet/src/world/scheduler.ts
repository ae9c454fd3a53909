import { nextTick } from 'node:process'
import type { Timer } from '@org/runtime'
import { type Answers, createAnswers } from './answers.ts'
import { createHeap } from './heap.ts'

/**
 * Virtual time, and all that is to happen in it. Everything that a node waits for happens here: what is due at one time happens
 * in the order in which it was asked for, and between two happenings everything that can go on does so, and what is held answers.
 */
export interface Scheduler {
  /** Milliseconds since the beginning. */
  readonly now: () => number
  /** Runs something `ms` milliseconds from now. */
  readonly after: (ms: number, run: () => void) => Timer
  /** Time stands still until this is answered; then the answer is given, in the order of the questions. Only `run` gives it. */
  readonly hold: Answers['hold']
  /** Goes on until `isDone` says so, nothing is left, or `limit` (a time) has come. Rejects with what a happening throws, and with a `WorldError`. */
  readonly run: (isDone: () => boolean, limit?: number) => Promise<void>
  /** Lets everything that needs no time go on. */
  readonly settle: () => Promise<void>
  /** How many things have happened. */
  readonly happened: () => number
  readonly pending: () => number
}

/** Its own timer: there are very many. */
class Happening implements Timer {
  readonly at: number
  readonly order: number
  run: (() => void) | undefined

  constructor(at: number, order: number, run: () => void) {
    this.at = at
    this.order = order
    this.run = run
  }

  cancel(): void {
    this.run = undefined
  }
}

interface Run {
  readonly isDone: () => boolean
  readonly limit: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  isOver: boolean
}

/**
 * The event loop gets a turn after this many events: its other work, such as a thread that is stopping, must not wait
 * forever.
 */
const TURN_EVERY = 64

/** Less than the usual time limit of a test, so that the missing answer is reported first. */
export const ANSWER_WITHIN_MS = 4000

/** Each call of what it returns runs something when all promises that can settle have done so: the queue of ticks comes after that of promises. */
function afterPromises(run: () => void): () => void {
  const settled = Promise.resolve()
  const tick = (): void => nextTick(run)
  // `queueMicrotask` would make a resource of each.
  return () => void settled.then(tick)
}

/** `answerWithinMs`: in real time. */
export function createScheduler(answerWithinMs = ANSWER_WITHIN_MS): Scheduler {
  const heap = createHeap<Happening>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order))
  const answers = createAnswers(answerWithinMs)
  let now = 0
  let order = 0
  let happened = 0
  /** Several may wait for something at once; time goes on for all of them. */
  let runs: Run[] = []
  let isRunning = false

  function due(limit: number): Happening | undefined {
    for (let next = heap.peek(); next !== undefined; next = heap.peek()) {
      if (next.run === undefined) heap.pop()
      else return next.at <= limit ? heap.pop() : undefined
    }
    return undefined
  }

  /** Ends those that are over, or have come to their limit. False if nothing is to happen before they have gone on. */
  function step(): boolean {
    let limit = Number.POSITIVE_INFINITY
    let areOver = false
    for (const run of runs) {
      run.isOver = isOver(run)
      areOver ||= run.isOver
      limit = Math.min(limit, run.limit)
    }
    const next = areOver ? undefined : due(limit)
    if (next !== undefined) {
      now = next.at
      const { run } = next
      next.run = undefined
      happened++
      run?.()
      return true
    }
    if (!areOver) {
      if (limit !== Number.POSITIVE_INFINITY && limit > now) now = limit
      for (const run of runs) run.isOver = run.limit === limit
    }
    const over = runs.filter((run) => run.isOver)
    runs = runs.filter((run) => !run.isOver)
    for (const { resolve } of over) resolve()
    return false
  }

  function isOver({ isDone, reject }: Run): boolean {
    try {
      return isDone()
    } catch (error) {
      reject(error)
      return true
    }
  }

  function fail(error: unknown): void {
    isRunning = false
    for (const { reject } of runs.splice(0)) reject(error)
  }

  const turnLater = afterPromises(turn)

  // Before the next happening all promises that can settle have done so. No thread and no timer takes part but those that answer
  // what is held, in a fixed order: what happens follows from the happenings before alone.
  function turn(): void {
    try {
      if (answers.isHolding()) answers.give().then(turnLater, fail)
      else if (step() && happened % TURN_EVERY === 0) setImmediate(turn)
      else if (runs.length > 0) turnLater()
      else isRunning = false
    } catch (error) {
      fail(error)
    }
  }

  return {
    now: () => now,
    after: (ms, run) => {
      const happening = new Happening(now + Math.max(0, ms), order++, run)
      heap.push(happening)
      return happening
    },
    hold: answers.hold,
    run: (isDone, limit = Number.POSITIVE_INFINITY) =>
      new Promise((resolve, reject) => {
        runs.push({ isDone, limit, resolve, reject, isOver: false })
        if (isRunning) return
        isRunning = true
        setImmediate(turn)
      }),
    settle: () => new Promise((resolve) => setImmediate(resolve)),
    happened: () => happened,
    pending: () => heap.size(),
  }
}
