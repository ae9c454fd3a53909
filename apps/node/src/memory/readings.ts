import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { MemoryReading } from './policy.ts'
import type { MemoryLimits } from './shares.ts'

/** Reads the memory use of this process. */
export interface MemoryReader {
  readonly read: () => MemoryReading
  /** Collects the garbage, in the heap and outside of it. */
  readonly collect: () => void
}

/** An estimate of the memory that V8 does not count: code, databases, cryptography, stacks of threads. */
const NATIVE_BYTES = 256 * 1024 * 1024

/**
 * If the memory use is below this share of the process's limit, V8's figures are enough, and reading them is faster.
 * Above this share, the resident memory is read too.
 */
const ASK_FROM = 0.5

/**
 * Reads the memory use of this process: V8's heap with its limit, and the whole process with its limit. V8 does not
 * limit the memory outside the heap, which contains the bytes of transactions, blocks, messages and answers.
 *
 * There are two figures for the whole process, and the lower figure is the result. The first figure is the resident
 * memory. It can be too high, because it includes freed memory that malloc keeps. The second figure is the memory that
 * V8 counts, in the heap and outside the heap, plus the estimate `NATIVE_BYTES` for the memory that V8 does not count.
 */
export function createMemoryReader({ heapLimit, processLimit }: MemoryLimits): MemoryReader {
  let collect: (() => void) | undefined
  return {
    read: () => {
      const { used_heap_size, total_heap_size, external_memory } = getHeapStatistics()
      const known = total_heap_size + external_memory + NATIVE_BYTES
      const processUsed = known < processLimit * ASK_FROM ? known : Math.min(known, process.memoryUsage.rss())
      return { heapUsed: used_heap_size, heapLimit, processUsed, processLimit }
    },
    collect: () => {
      if (collect === undefined) {
        setFlagsFromString('--expose-gc')
        collect = runInNewContext('gc') as () => void
        setFlagsFromString('--no-expose-gc')
      }
      collect()
    },
  }
}
