import { GCProfiler, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Door, Shape } from './door.ts'
import { processorNs } from './processor-time.ts'

/** The cost of one input. Times are processor time in nanoseconds, and memory is in bytes. */
export interface Sample {
  readonly bytes: number
  readonly ns: number
  readonly held: number
  readonly kept: number
  /** The processor time of the longest turn of the event loop; 0 if the door has no limit for a turn. */
  readonly turnNs: number
}

let collector: (() => void) | undefined

/** Runs a garbage collection twice, so that memory that is not used is freed. */
export function collect(): void {
  if (collector === undefined) {
    setFlagsFromString('--expose-gc')
    collector = runInNewContext('gc') as () => void
  }
  collector()
  collector()
}

/** Returns the bytes of memory in use, in the heap and outside of it. */
function memory(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/**
 * Returns the maximum memory that was in use directly after a garbage collection while the profiler ran. Returns 0 if
 * no garbage collection ran. The value also includes memory for an input that the door refuses at the end, because the
 * profiler runs while the door reads the input. The parameter `external` is the memory outside of the heap.
 */
function peakOf(profiler: GCProfiler, external: number): number {
  const { statistics } = profiler.stop()
  const used = statistics.map(({ afterGC }) => afterGC.heapStatistics.usedHeapSize)
  return used.length === 0 ? 0 : Math.max(...used) + external
}

export interface Bench {
  /** Returns the least processor time of several runs with one input. Makes fewer runs if the runs take long. */
  readonly time: (input: Uint8Array, runs: number) => Promise<number>
  /** Returns the processor time of the longest turn of the event loop during one run. */
  readonly longestTurn: (input: Uint8Array) => Promise<number>
  /**
   * Returns two amounts of memory in bytes. `held` is the maximum in use while the door reads the input, or while the
   * caller still has the door's result. `kept` is the memory that one input leaves in use after the caller has dropped
   * the result.
   */
  readonly memory: (input: Uint8Array) => Promise<{ readonly held: number; readonly kept: number }>
  readonly close: () => Promise<void>
}

/** The total time of the runs of one input, in nanoseconds. After this time, no further run begins. */
const ENOUGH_NS = 1_500_000_000

export async function openDoor(door: Door): Promise<Bench> {
  const { read, close } = await door.open()
  /** Gives an input to the door. Returns an error instead of throwing it, because a refusal is a normal result. */
  const run = async (input: Uint8Array): Promise<unknown> => {
    try {
      const value = read(input)
      return value instanceof Promise ? await value : value
    } catch (error) {
      return error
    }
  }
  return {
    time: async (input, runs) => {
      let best = Number.POSITIVE_INFINITY
      let total = 0
      for (let i = 0; i < runs && total < ENOUGH_NS; i++) {
        const before = processorNs()
        await run(input)
        const took = processorNs() - before
        best = Math.min(best, took)
        total += took
      }
      return best
    },
    longestTurn: async (input) => {
      let [longest, last, done] = [0, processorNs(), false]
      const sample = (): void => {
        const now = processorNs()
        longest = Math.max(longest, now - last)
        last = now
        if (!done) setImmediate(sample)
      }
      setImmediate(sample)
      await run(input)
      sample()
      done = true
      return longest
    },
    memory: async (input) => {
      collect()
      const before = memory()
      const profiler = new GCProfiler()
      profiler.start()
      let value = await run(input)
      const peak = peakOf(profiler, process.memoryUsage().external) - before
      collect()
      const held = Math.max(peak, memory() - before)
      // Uses `value` after the measurement, so that the garbage collector does not free `value` during the measurement.
      const isThere = value !== before
      value = undefined
      collect()
      // The first run may fill a cache of the JavaScript engine. If the memory also grows in the next two runs, the
      // node keeps memory for each input.
      const once = memory()
      for (let i = 0; i < 2; i++) await run(input)
      collect()
      return { held: isThere ? held : 0, kept: (memory() - once) / 2 }
    },
    close: async () => {
      await close?.()
    },
  }
}

export interface Range {
  readonly smallest: number
  readonly largest: number
  readonly runs: number
  /** True if the memory for the longest input is measured too. */
  readonly withMemory: boolean
  /** True if the longest turn of the event loop is measured too, during one run with the longest input. */
  readonly withTurns: boolean
}

/**
 * Measures one form of input at sizes that double. Ends at the size `largest`, or at the first input that takes too
 * long.
 */
export async function measureShape(
  bench: Bench,
  shape: Shape,
  { smallest, largest, runs, withMemory, withTurns }: Range,
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  for (let size = smallest; size <= largest; size *= 2) {
    const input = shape(size)
    const ns = await bench.time(input, runs)
    const isLast = size * 2 > largest || ns > ENOUGH_NS
    const { held, kept } = isLast && withMemory ? await bench.memory(input) : { held: 0, kept: 0 }
    const turnNs = isLast && withTurns ? await bench.longestTurn(input) : 0
    samples.push({ bytes: input.length, ns, held, kept, turnNs })
    if (isLast) break
  }
  return samples
}
