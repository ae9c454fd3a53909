import { GCProfiler, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Door, Shape } from './door.ts'
import { processorNs } from './processor-time.ts'

/** The cost of one input. Times in nanoseconds of processor time, memory in bytes. */
export interface Sample {
  readonly bytes: number
  readonly ns: number
  readonly held: number
  readonly kept: number
  /** The processor time of the longest turn of the event loop; 0 if the door states no limit of it. */
  readonly turnNs: number
}

let collector: (() => void) | undefined

/** Collects the garbage. */
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
 * The most memory in use after a collection of garbage while the profiler ran; 0 without one. Input that is refused
 * holds nothing at the end, but the node has to bear what the decoder made of it.
 */
function peakOf(profiler: GCProfiler, external: number): number {
  const { statistics } = profiler.stop()
  const used = statistics.map(({ afterGC }) => afterGC.heapStatistics.usedHeapSize)
  return used.length === 0 ? 0 : Math.max(...used) + external
}

export interface Bench {
  /** The least time of several runs. Stops early if the runs take long. */
  readonly time: (input: Uint8Array, runs: number) => Promise<number>
  /** The processor time of the longest turn of the event loop. */
  readonly longestTurn: (input: Uint8Array) => Promise<number>
  /** The most memory while the door works on the input, or while its result is kept, and the memory kept for good. */
  readonly memory: (input: Uint8Array) => Promise<{ readonly held: number; readonly kept: number }>
  readonly close: () => Promise<void>
}

/** The total time of the runs of one input after which there are no further runs. */
const ENOUGH_NS = 1_500_000_000

export async function openDoor(door: Door): Promise<Bench> {
  const { take, close } = await door.open()
  /** A refusal is a normal outcome. */
  const run = async (input: Uint8Array): Promise<unknown> => {
    try {
      const value = take(input)
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
      const look = (): void => {
        const now = processorNs()
        longest = Math.max(longest, now - last)
        last = now
        if (!done) setImmediate(look)
      }
      setImmediate(look)
      await run(input)
      look()
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
      // Uses the value after the measurement, so that it is not collected before.
      const isThere = value !== before
      value = undefined
      collect()
      // The first run may fill a cache of the engine. The growth by the next two is memory that is kept for each
      // input.
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
  /** Also measures the memory of the longest input. */
  readonly withMemory: boolean
  /** Also measures the longest turn of the event loop, with the longest input. */
  readonly withTurns: boolean
}

/** The costs of one shape at sizes that double, up to `largest`, or up to the first that takes too long. */
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
