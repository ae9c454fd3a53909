import { createFlowMonitor, type FlowStatus } from '@org/p2p'

/** The period, in milliseconds, after which the recent bytes of each channel are multiplied by `FADE`. */
const FADE_MS = 2000
/**
 * The factor by which the recent bytes of a channel are multiplied after each period. So older bytes count less than
 * newer bytes. A real connection has the same factor and the same period.
 */
const FADE = 0.8
/**
 * The maximum number of periods for which recent bytes are multiplied by `FADE`. If more periods have passed since the
 * last message, the recent bytes are 0: even 10^18 bytes would have become less than half a byte.
 */
const MAX_FADES = 200

/** Counts the bytes of the messages in one direction of a connection. */
export interface MessageBytes {
  readonly add: (channel: number, bytes: number) => void
  /**
   * Returns the number of all bytes so far, and the rates of the flow in bytes per second. The flow is measured in
   * samples: periods of at least a tenth of a second. The rates come from complete samples only. The number of bytes
   * also includes the bytes after the last complete sample: the time of a devnet can stand still, so the present sample
   * may never be complete.
   */
  readonly flow: () => FlowStatus
  /** Returns how much a channel was used recently: the number of its bytes, in which older bytes count less. */
  readonly recent: (channel: number) => number
}

/**
 * The number of milliseconds for which messages are collected before they are passed to the monitor. The monitor's
 * clock has steps of this length.
 */
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

  /**
   * Passes the pending bytes to the monitor, and multiplies the recent bytes of the channels by `FADE` for each period
   * that has ended.
   */
  function measure(now: number): void {
    monitor.update(pending)
    pending = 0
    measuresAt = now + STEP_MS
    const due = Math.floor((now - start) / FADE_MS)
    if (due === fades) return
    let factor = due - fades > MAX_FADES ? 0 : 1
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
