import { nextTick } from 'node:process'
import { createListeners, type Timer } from '@org/runtime'
import { createHeap } from './heap.ts'
import { createHeldAnswers, type HeldAnswers } from './held-answers.ts'

/**
 * Virtual time and its events. Everything that a node waits for is an event. Events of the same time run in the order
 * in which they were scheduled. Between two events, the callbacks of all settled promises run. An answer from outside
 * the simulation may take real time (see `hold`). Virtual time stands still until the answer has come and is delivered.
 */
export interface Scheduler {
  /** The virtual time, in milliseconds since the beginning of the simulation. */
  readonly now: () => number
  /** Calls `run` when `ms` milliseconds of virtual time have passed. */
  readonly after: (ms: number, run: () => void) => Timer
  /**
   * Stops virtual time until the promise `answer` settles. The answer comes from outside the simulation, for example
   * from an application that uses timers or files. Answers are delivered in the order of the calls of `hold`, and only
   * while a call of `run` is in progress.
   */
  readonly hold: HeldAnswers['hold']
  /**
   * Runs events until `isDone` returns true, no event is left, or virtual time has reached `limit`. Rejects with the
   * error of an event. Rejects with a `WorldError` if an answer for which virtual time stands still (see `hold`) does
   * not come within the time limit of the scheduler, in real time.
   */
  readonly run: (isDone: () => boolean, limit?: number) => Promise<void>
  /** Waits until the callbacks of all settled promises have run. Runs no event. */
  readonly settle: () => Promise<void>
  /**
   * Calls `listener` each time something is scheduled while no call of `run` is in progress. Ends when the signal
   * aborts.
   */
  readonly onScheduled: (listener: () => void, signal: AbortSignal) => void
  /** The number of events that this scheduler has run. */
  readonly happened: () => number
  readonly pending: () => number
}

/**
 * An event. To save memory, because there are very many events, the same object is also the timer that can cancel the
 * event.
 */
class ScheduledEvent implements Timer {
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
 * After this number of events, the event loop gets a turn, so that other work of the process, such as the end of a
 * thread, can continue.
 */
const TURN_EVERY = 64

/**
 * The default time limit, in real milliseconds, for an answer from outside the simulation, such as the answer of an
 * application. It is shorter than the usual time limit of a test. So a test without an answer fails with the error
 * about the missing answer, and not with the test's time-out.
 */
export const ANSWER_WITHIN_MS = 4000

/**
 * Returns a function that calls `run` after the callbacks of all settled promises have run. The function uses
 * `nextTick`, because Node.js runs the queue of `nextTick` only when the queue of promises is empty.
 */
function afterPromises(run: () => void): () => void {
  const settled = Promise.resolve()
  const tick = (): void => nextTick(run)
  // `queueMicrotask` would create an async resource for each call, which takes more time.
  return () => void settled.then(tick)
}

function isOver({ isDone, reject }: Run): boolean {
  try {
    return isDone()
  } catch (error) {
    reject(error)
    return true
  }
}

/** Creates a scheduler. `answerWithinMs` is the time limit for an answer, in real milliseconds. */
export function createScheduler(answerWithinMs = ANSWER_WITHIN_MS): Scheduler {
  const heap = createHeap<ScheduledEvent>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order))
  const answers = createHeldAnswers(answerWithinMs)
  let now = 0
  let order = 0
  let happened = 0
  /** Several calls of `run` may wait at once; time advances for all of them. */
  let runs: Run[] = []
  let isRunning = false
  const scheduled = createListeners()

  function due(limit: number): ScheduledEvent | undefined {
    for (let next = heap.peek(); next !== undefined; next = heap.peek()) {
      if (next.run === undefined) heap.pop()
      else return next.at <= limit ? heap.pop() : undefined
    }
    return undefined
  }

  /**
   * Runs the next event and returns true, unless an open call of `run` must end first. Several calls of `run` can be
   * open. A call must end if its `isDone` returns true, or if no event is due up to its `limit`. Then this function
   * ends the call, runs no event and returns false. So the caller of `run` continues before the next event.
   */
  function step(): boolean {
    let limit = Number.POSITIVE_INFINITY
    let mustEnd = false
    for (const run of runs) {
      run.isOver = isOver(run)
      mustEnd ||= run.isOver
      limit = Math.min(limit, run.limit)
    }
    const next = mustEnd ? undefined : due(limit)
    if (next !== undefined) {
      now = next.at
      const { run } = next
      next.run = undefined
      happened++
      run?.()
      return true
    }
    if (!mustEnd) {
      if (limit !== Number.POSITIVE_INFINITY && limit > now) now = limit
      for (const run of runs) run.isOver = run.limit === limit
    }
    const over = runs.filter((run) => run.isOver)
    runs = runs.filter((run) => !run.isOver)
    for (const { resolve } of over) resolve()
    return false
  }

  function fail(error: unknown): void {
    isRunning = false
    for (const { reject } of runs.splice(0)) reject(error)
  }

  const turnLater = afterPromises(turn)

  // Before the next event, the callbacks of all settled promises have run. Real threads and timers affect the events
  // only by answers that take real time (see `hold`). These answers are delivered in a fixed order. So a repeated run
  // has the same events.
  function turn(): void {
    try {
      if (answers.isHolding()) answers.deliverAll().then(turnLater, fail)
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
      const event = new ScheduledEvent(now + Math.max(0, ms), order++, run)
      heap.push(event)
      if (!isRunning) scheduled.call()
      return event
    },
    onScheduled: scheduled.add,
    hold: (answer, question) => {
      if (!isRunning) scheduled.call()
      return answers.hold(answer, question)
    },
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
