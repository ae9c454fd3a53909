const LOOK_NS = 20_000_000n
/**
 * During one check, a clock that counts microseconds advances thousands of times, and a clock that counts ticks at most
 * ten times.
 */
const LEAST_MOVES = 200

const total = ({ user, system }: NodeJS.CpuUsage): number => user + system

/** Looks at the clock of the thread for a while. Returns false if it moves in steps of milliseconds, as on some kernels. */
function threadClockIsFine(): boolean {
  const start = process.hrtime.bigint()
  let moves = 0
  let last = total(process.threadCpuUsage())
  while (moves < LEAST_MOVES && process.hrtime.bigint() - start < LOOK_NS) {
    const now = total(process.threadCpuUsage())
    if (now !== last) moves++
    last = now
  }
  return moves >= LEAST_MOVES
}

const isFine = threadClockIsFine()

/**
 * The processor time so far, in nanoseconds. Only this thread counts if the system measures threads exactly; otherwise
 * the helper threads of the engine count too, such as those that collect garbage.
 */
export function processorNs(): number {
  return total(isFine ? process.threadCpuUsage() : process.cpuUsage()) * 1000
}
