import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'

export interface Machine {
  readonly totalBytes: number
  /** The number of bytes that the control group allows the process; 0 or a huge number if there is no limit. */
  readonly constrainedBytes: number
}

/**
 * The share of the available memory that the node may use. The available memory is the machine's memory, or the limit
 * of the process's control group if that is lower.
 */
const SHARE = 0.75

const thisMachine = (): Machine => ({ totalBytes: totalmem(), constrainedBytes: process.constrainedMemory() })

/** Returns the memory that the process may use: the configured limit, or three quarters of the available memory. */
export function memoryLimit(configured: number, { totalBytes, constrainedBytes }: Machine = thisMachine()): number {
  if (configured > 0) return configured
  const there = constrainedBytes > 0 ? Math.min(totalBytes, constrainedBytes) : totalBytes
  return Math.floor(there * SHARE)
}

const OLD_SPACE = /^--max[-_]old[-_]space[-_]size=(\d+)$/

/**
 * Returns the heap limit of the process, in bytes. The launcher `bin/halley` limits V8's old generation by the flag
 * `--max-old-space-size`. If the flag is set, returns its value, because a process ends when the old generation is
 * full. Without the flag, returns the heap limit that V8 reports: the limit of the old generation plus three times the
 * limit of the young generation.
 */
export function heapLimit(argv: readonly string[] = process.execArgv): number {
  const megabytes = argv.map((text) => OLD_SPACE.exec(text)?.[1]).findLast((found) => found !== undefined)
  return megabytes === undefined ? getHeapStatistics().heap_size_limit : Number(megabytes) * 1024 * 1024
}
