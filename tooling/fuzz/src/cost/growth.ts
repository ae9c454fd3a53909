import type { Door, Shape } from './door.ts'
import { type Bench, openDoor } from './measure.ts'

/** A step doubles the length twice: linear time gives 4, and quadratic time gives 16. */
const STEP = 4
const MAX_RATIO = 9
/** A ratio above this may be that of quadratic time, with a short run that the machine made slow. */
const CLEAR_RATIO = 6
/** Shorter runs are too inexact: the input grows until a run takes this long. */
const LEAST_NS = 1_000_000
const SMALLEST = 1024
/** The longest input. It is longer than the first input for which the system must map new memory, page by page. */
const LONGEST = 1024 * 1024
const RUNS = 5
/** A ratio that is not clear is measured with more runs, this many times: a busy machine makes some runs slow, not all. */
const ROUNDS = 3
/** A ratio above the bound is measured again for inputs of twice the length, at most for this many lengths. */
const LENGTHS = 3
/**
 * One length alone proves nothing, because at this length the system may have to map memory, or a garbage collection
 * may begin.
 */
const LEAST_LENGTHS = 2

/**
 * The ratio of the times for the long input and for the short one. The runs take turns, so that a time in which the
 * machine is busy slows both; the least time of each counts.
 */
async function measureRatio(bench: Bench, short: Uint8Array, long: Uint8Array): Promise<number> {
  let [ofShort, ofLong] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  // A short time below 1/64 of the long one counts as 1/64: the ratio stays finite and above the bound.
  const ratio = (): number => ofLong / Math.max(ofShort, ofLong / 64)
  for (let round = 0; round < ROUNDS && (round === 0 || ratio() > CLEAR_RATIO); round++) {
    for (let i = 0; i < RUNS; i++) {
      ofShort = Math.min(ofShort, await bench.time(short, 1))
      ofLong = Math.min(ofLong, await bench.time(long, 1))
    }
  }
  return ratio()
}

/**
 * The least ratio of a shape at some lengths; `undefined` if it is too fast to measure at {@link LEAST_LENGTHS} lengths.
 * Quadratic time raises the ratio at each length.
 */
async function ratioOf(bench: Bench, shape: Shape, limit: number): Promise<number | undefined> {
  let least = Number.POSITIVE_INFINITY
  let lengths = 0
  for (let size = SMALLEST; size * STEP <= limit && lengths < LENGTHS; size *= 2) {
    const [short, long] = [shape(size), shape(size * STEP)]
    // The second run counts: the first one also compiles the code.
    if ((await bench.time(long, 2)) < LEAST_NS) continue
    least = Math.min(least, await measureRatio(bench, short, long))
    if (least <= MAX_RATIO) return least
    lengths++
  }
  return lengths < LEAST_LENGTHS ? undefined : least
}

/** The shapes of a door whose time grows much faster than their length, with the ratio for four times the length. */
export async function growthOf(door: Door): Promise<Readonly<Record<string, number>>> {
  const bench = await openDoor(door)
  const faults: Record<string, number> = {}
  try {
    for (const [name, shape] of Object.entries(door.shapes)) {
      const ratio = await ratioOf(bench, shape, Math.min(door.limit, LONGEST))
      if (ratio !== undefined && ratio > MAX_RATIO) faults[name] = Math.round(ratio)
    }
  } finally {
    await bench.close()
  }
  return faults
}
