import { type Clock, sleepOn } from '@org/runtime'
import type { Scheduler } from './scheduler.ts'

/**
 * One run of one node, from its start to its end or crash. The life of a node controls every timer and promise for
 * which the node waits.
 */
export interface Life {
  readonly isAlive: () => boolean
  /** Ends the life: its timers do not fire any more, and its promises never settle. */
  readonly end: () => void
  /** Freezes the life: nothing happens to the node until `thaw`. Then everything that was due happens in order. */
  readonly freeze: () => void
  readonly thaw: () => void
  readonly isFrozen: () => boolean
  /** Calls `run` after `ms` milliseconds, if the node is alive then. Returns a function that cancels the call. */
  readonly later: (ms: number, run: () => void) => () => void
  /** Resolves after `ms` milliseconds. Never resolves after the end of the life. */
  readonly wait: (ms: number) => Promise<void>
  /**
   * Stops virtual time until this answer has come, because the answer takes real time. `name` names the callee and the
   * call.
   */
  readonly hold: <T>(answer: PromiseLike<T>, name: string) => Promise<T>
  readonly clock: Clock
}

export interface ClockFault {
  /** The milliseconds by which the clock is ahead of the true time. */
  readonly skewMs: number
  /** The rate by which the clock is too fast. With 0.001, it gains one second in 1,000 seconds. */
  readonly drift: number
}

export interface LifeOptions {
  /** The skew may change during the life, but the drift may not. */
  readonly clockFault: ClockFault
  /** The clock time at virtual time 0, in nanoseconds since 1970. */
  readonly genesis: bigint
}

export function createLife({ genesis, clockFault }: LifeOptions, scheduler: Scheduler): Life {
  const { drift } = clockFault
  let alive = true
  let frozen: (() => void)[] | undefined
  let lastReading = 0n

  function happen(run: () => void): void {
    if (!alive) return
    if (frozen === undefined) run()
    else frozen.push(run)
  }

  function later(ms: number, run: () => void): () => void {
    let cancelled = false
    const timer = scheduler.after(ms, () =>
      happen(() => {
        if (!cancelled) run()
      }),
    )
    return () => {
      cancelled = true
      timer.cancel()
    }
  }

  const wait = (ms: number): Promise<void> => new Promise((resolve) => later(ms, resolve))
  const elapsed = (): number => scheduler.now() * (1 + drift)

  const after: Clock['after'] = (ms, run) => ({ cancel: later(ms / (1 + drift), run) })
  const clock: Clock = {
    now: () => {
      // The whole milliseconds of the skew become a `bigint`, and the rest is computed as a `number`. A `number` for
      // the whole skew would not be exact, because it cannot hold the nanoseconds of several years exactly.
      const whole = Math.trunc(clockFault.skewMs)
      const rest = Math.round((elapsed() + clockFault.skewMs - whole) * 1e6)
      const reading = genesis + BigInt(whole) * 1_000_000n + BigInt(rest)
      // Two readings are never equal, as with the system clock of a real node.
      lastReading = reading > lastReading ? reading : lastReading + 1n
      return lastReading
    },
    monotonic: elapsed,
    after,
    sleep: (ms, signal) => sleepOn(after, ms, signal),
  }

  return {
    isAlive: () => alive,
    isFrozen: () => frozen !== undefined,
    end: () => {
      alive = false
      frozen = undefined
    },
    freeze: () => {
      frozen ??= []
    },
    thaw: () => {
      const due = frozen ?? []
      frozen = undefined
      // Each callback that came due while the node was frozen runs as an event of its own, as on a real computer.
      for (const run of due) later(0, run)
    },
    later,
    wait,
    hold: (answer, name) => scheduler.hold(answer, { name, isWanted: () => alive }),
    clock,
  }
}
