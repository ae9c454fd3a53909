import { createSystemClock, repeat } from '@org/runtime'
import { signal } from '@preact/signals'

export const clock = createSystemClock()

/** The time in milliseconds since 1970. It changes every second. */
export const nowMs = signal(Number(clock.now() / 1_000_000n))

const page = new AbortController().signal

/** Calls `run` every `ms` milliseconds, as long as the page is open. */
export function every(ms: number, run: () => void): void {
  repeat(clock, { everyMs: ms, run, signal: page })
}

every(1000, () => {
  nowMs.value = Number(clock.now() / 1_000_000n)
})
