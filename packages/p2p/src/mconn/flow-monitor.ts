/**
 * The constants of the reference: the step of the clock and the length of a sample, in milliseconds, and the time
 * constant of the moving average, in seconds.
 */
const CLOCK_STEP_MS = 20
const SAMPLE_MS = 100
const WINDOW_SECONDS = 1

/** The state of a flow after its last complete sample. Rates are in bytes per second, and times in milliseconds. */
export interface FlowStatus {
  readonly bytes: number
  readonly samples: number
  /**
   * The rate of the last sample, the moving average, the average rate over the whole time, and the highest rate of a
   * sample.
   */
  readonly lastRate: number
  readonly currentRate: number
  readonly averageRate: number
  readonly peakRate: number
  readonly durationMs: number
  /** The milliseconds since the last transfer. */
  readonly idleMs: number
}

/** The status of a connection that was never used. */
export const NO_FLOW: FlowStatus = {
  bytes: 0,
  samples: 0,
  lastRate: 0,
  currentRate: 0,
  averageRate: 0,
  peakRate: 0,
  durationMs: 0,
  idleMs: 0,
}

/** Measures one direction of a connection. */
export interface FlowMonitor {
  readonly update: (bytes: number) => void
  readonly status: () => FlowStatus
}

/** Creates a monitor that has measured nothing. `monotonic` returns the time in milliseconds. */
export function createFlowMonitor(monotonic: () => number): FlowMonitor {
  const clock = (): number => Math.round(monotonic() / CLOCK_STEP_MS) * CLOCK_STEP_MS
  const start = clock()
  let [sampledAt, busyAt] = [start, start]
  let [bytes, samples, pending] = [0, 0, 0]
  let [last, current, peak] = [0, 0, 0]

  function update(more: number): number {
    const now = clock()
    if (more > 0) busyAt = now
    pending += more
    const seconds = (now - sampledAt) / 1000
    if (seconds * 1000 < SAMPLE_MS) return now
    last = pending / seconds
    peak = Math.max(peak, last)
    // A longer sample has more weight in the moving average.
    current = samples === 0 ? last : last + Math.exp(-seconds / WINDOW_SECONDS) * (current - last)
    bytes += pending
    samples++
    pending = 0
    sampledAt = now
    return now
  }

  return {
    update,
    status: () => {
      const now = update(0)
      const durationMs = sampledAt - start
      const isMeasured = durationMs > 0
      return {
        bytes,
        samples,
        lastRate: isMeasured ? Math.round(last) : 0,
        currentRate: isMeasured ? Math.round(current) : 0,
        averageRate: isMeasured ? Math.round((bytes * 1000) / durationMs) : 0,
        peakRate: Math.round(peak),
        durationMs,
        idleMs: now - busyAt,
      }
    },
  }
}
