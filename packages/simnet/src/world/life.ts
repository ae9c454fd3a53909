import { type Clock, sleepOn } from '@org/runtime'
import type { Scheduler } from './scheduler.ts'

/** One run of one node, from its start to its end or crash. All that it waits for goes through here. */
export interface Life {
  readonly isAlive: () => boolean
  /** From here on nothing that it waits for happens any more. */
  readonly end: () => void
  /** While it is frozen nothing happens to it; afterwards all that should have, in order. */
  readonly freeze: () => void
  readonly thaw: () => void
  readonly isFrozen: () => boolean
  /** Runs something later, if it is alive then. */
  readonly later: (ms: number, run: () => void) => () => void
  /** Resolves later; never after the end. */
  readonly wait: (ms: number) => Promise<void>
  /** Virtual time stands still until this answers: it works in real time. `name` says who was asked, and what. */
  readonly hold: <T>(answer: PromiseLike<T>, name: string) => Promise<T>
  readonly clock: Clock
}

export interface ClockFault {
  /** Milliseconds ahead of true time. */
  readonly skewMs: number
  /** How much faster it goes: 0.001 is a second too much in 1,000. */
  readonly drift: number
}

export interface LifeOptions {
  /** Its skew may change while the life lasts, its drift may not. */
  readonly clockFault: ClockFault
  /** The time at the scheduler's 0, in nanoseconds since 1970. */
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
      const reading = genesis + BigInt(Math.round((elapsed() + clockFault.skewMs) * 1e6))
      // Two reads are never equal, as with the machine's clock.
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
      // One after the other, each in a turn of its own, as the machine would.
      for (const run of due) later(0, run)
    },
    later,
    wait,
    hold: (answer, name) => scheduler.hold(answer, { name, isWanted: () => alive }),
    clock,
  }
}
