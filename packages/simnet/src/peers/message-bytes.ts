import { createFlowMonitor, type FlowStatus } from '@org/p2p'

/** At the end of each period of this length, in milliseconds, the count of the earlier bytes shrinks. */
const FADE_MS = 2000
/** The factor by which the count shrinks. A real connection has the same factor and the same period. */
const FADE = 0.8
/**
 * The maximum number of times that the count is multiplied by `FADE`. After more times the count is set to 0: even a
 * count of 10^18 bytes would then be less than half a byte.
 */
const MOST_FADES = 200

/** Counts the bytes of the messages in one direction of a connection. */
export interface MessageBytes {
  readonly add: (channel: number, bytes: number) => void
  /**
   * Returns the number of bytes and their rates. The number contains every message so far: the time of a devnet can
   * stand still, and a sample of a real connection would then never be complete.
   */
  readonly flow: () => FlowStatus
  /** Returns the bytes of a channel, of which older ones count less. */
  readonly recent: (channel: number) => number
}

/** Messages of this number of milliseconds are passed to the monitor together, because its clock has no finer step. */
const STEP_MS = 20

/**
 * Creates a counter that reads the given clock, in milliseconds. It uses no timer, because each timer is an event of
 * the simulation.
 */
export function createMessageBytes(monotonic: () => number): MessageBytes {
  const monitor = createFlowMonitor(monotonic)
  const recent = new Map<number, number>()
  const start = monotonic()
  let total = 0
  /** The bytes that the monitor does not have yet. */
  let pending = 0
  let measuresAt = start
  let busyAt = start
  let fades = 0

  /** Passes the pending bytes to the monitor, and fades the recent bytes of the channels. */
  function measure(now: number): void {
    monitor.update(pending)
    pending = 0
    measuresAt = now + STEP_MS
    const due = Math.floor((now - start) / FADE_MS)
    if (due === fades) return
    let factor = due - fades > MOST_FADES ? 0 : 1
    for (let i = fades; i < due && factor > 0; i++) factor *= FADE
    for (const [channel, bytes] of recent) recent.set(channel, bytes * factor)
    fades = due
  }

  return {
    add: (channel, bytes) => {
      const now = monotonic()
      if (now >= measuresAt) measure(now)
      busyAt = now
      total += bytes
      pending += bytes
      recent.set(channel, (recent.get(channel) ?? 0) + bytes)
    },
    flow: () => {
      const now = monotonic()
      measure(now)
      return { ...monitor.status(), bytes: total, idleMs: Math.round(now - busyAt) }
    },
    recent: (channel) => {
      measure(monotonic())
      return Math.round(recent.get(channel) ?? 0)
    },
  }
}
