import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Door, Shape } from './door.ts'
import { processorNs } from './processor-time.ts'

/** The cost of one input. Times in nanoseconds of processor time, memory in bytes. */
export interface Sample {
  readonly bytes: number
  readonly ns: number
  readonly held: number
  readonly kept: number
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

/** Memory in use, in the heap and outside of it. */
function memory(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

export interface Bench {
  /** The least time of several runs. Stops early if the runs take long. */
  readonly time: (input: Uint8Array, runs: number) => Promise<number>
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
    memory: async (input) => {
      collect()
      const before = memory()
      let value = await run(input)
      collect()
      const held = memory() - before
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

/** The costs of one shape at sizes that double, up to `largest`, or up to the first that takes too long. */
export async function measureShape(
  bench: Bench,
  shape: Shape,
  { smallest, largest, runs, withMemory }: { smallest: number; largest: number; runs: number; withMemory: boolean },
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  for (let size = smallest; size <= largest; size *= 2) {
    const input = shape(size)
    const ns = await bench.time(input, runs)
    const isLast = size * 2 > largest || ns > ENOUGH_NS
    const { held, kept } = isLast && withMemory ? await bench.memory(input) : { held: 0, kept: 0 }
    samples.push({ bytes: input.length, ns, held, kept })
    if (isLast) break
  }
  return samples
}
