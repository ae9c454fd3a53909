const SAMPLE_INTERVAL_NS = 20_000_000n
/**
 * A clock counts as exact if its value changes at least this number of times within {@link SAMPLE_INTERVAL_NS}. In this
 * time, a clock in microseconds changes thousands of times, and a clock in milliseconds at most twenty times.
 */
const MIN_MOVES = 200

const total = ({ user, system }: NodeJS.CpuUsage): number => user + system

/**
 * Watches the thread's clock of processor time for a short period. Returns false if the clock moves in steps of
 * milliseconds, as on some kernels.
 */
function threadClockIsFine(): boolean {
  const start = process.hrtime.bigint()
  let moves = 0
  let last = total(process.threadCpuUsage())
  while (moves < MIN_MOVES && process.hrtime.bigint() - start < SAMPLE_INTERVAL_NS) {
    const now = total(process.threadCpuUsage())
    if (now !== last) moves++
    last = now
  }
  return moves >= MIN_MOVES
}

const isFine = threadClockIsFine()

/**
 * Returns the processor time until now, in nanoseconds. If the system measures the time of threads exactly, this is the
 * time of this thread. If the system does not, it is the time of the process, which includes the threads of the
 * JavaScript engine, such as those that collect garbage.
 */
export function processorNs(): number {
  return total(isFine ? process.threadCpuUsage() : process.cpuUsage()) * 1000
}
