import type { Door, Shape } from './door.ts'
import { type Bench, openDoor } from './measure.ts'

/**
 * The factor between the lengths of two inputs whose processing times are compared. The short input has some length,
 * and the long input is 4 times as long. The long input takes 4 times as long as the short input if the time grows
 * linearly, and 16 times as long if the time grows quadratically.
 */
const STEP = 4
/** The maximum ratio: the time of the long input divided by the time of the short input. */
const MAX_RATIO = 9
/**
 * A ratio above this value is measured again. A ratio between this value and `MAX_RATIO` is permitted, but it may be
 * measured too low: on a busy machine, the measured time of the short input may be too long. More runs correct the time
 * of the short input.
 */
const CLEAR_RATIO = 6
/**
 * The minimum time of the long input, in nanoseconds. Shorter times are too inexact, so both inputs are made longer
 * until the long input takes this time.
 */
const MIN_NS = 1_000_000
const SMALLEST = 1024
/**
 * The maximum length of an input. At a certain length, the time suddenly grows, because the operating system maps the
 * memory of longer inputs page by page. The maximum is above that length, so that inputs above it are measured too.
 * These inputs show whether the time continues to grow.
 */
const MAX_LENGTH = 1024 * 1024
const RUNS = 5
/**
 * The maximum number of times that a ratio of processing times is measured. A ratio above `CLEAR_RATIO` is measured
 * again with more runs, because a busy machine makes only some runs slow.
 */
const ROUNDS = 3
/**
 * The maximum number of pairs of inputs that are compared. In each pair, the short input is twice as long as the short
 * input of the pair before. The next pair is compared only if the ratios of all earlier pairs are above `MAX_RATIO`.
 */
const LENGTHS = 3
/**
 * The minimum number of pairs of inputs whose ratio of processing times must be above `MAX_RATIO` before a form of
 * input is reported as too slow. One pair alone proves nothing, because a garbage collection may run just during that
 * pair.
 */
const MIN_LENGTHS = 2

/**
 * Returns the time for the long input divided by the time for the short input. The runs of the two inputs take turns,
 * so that a busy machine makes both slow. The least time of each input counts.
 */
async function measureRatio(bench: Bench, short: Uint8Array, long: Uint8Array): Promise<number> {
  let [ofShort, ofLong] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  // The time of the short input counts as at least 1/64 of the time of the long input, so the ratio is at most 64. A
  // ratio of 64 is above `MAX_RATIO`, so the growth is still reported as a fault.
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
 * Measures the ratio of processing times for several pairs of inputs. In each pair, the long input is {@link STEP}
 * times as long as the short input. Returns the least ratio, because quadratic time would raise the ratio of each pair.
 * Returns `undefined` if fewer than {@link MIN_LENGTHS} pairs take long enough to be measured.
 */
async function ratioOf(bench: Bench, shape: Shape, limit: number): Promise<number | undefined> {
  let lowest = Number.POSITIVE_INFINITY
  let lengths = 0
  for (let size = SMALLEST; size * STEP <= limit && lengths < LENGTHS; size *= 2) {
    const [short, long] = [shape(size), shape(size * STEP)]
    // The function `time` returns the shorter of two runs, because the first run also compiles the code.
    if ((await bench.time(long, 2)) < MIN_NS) continue
    lowest = Math.min(lowest, await measureRatio(bench, short, long))
    if (lowest <= MAX_RATIO) return lowest
    lengths++
  }
  return lengths < MIN_LENGTHS ? undefined : lowest
}

/**
 * Returns the forms of input whose processing time grows much faster than their length. The value of each form is its
 * ratio: the time of the long input divided by the time of the short input.
 */
export async function growthOf(door: Door): Promise<Readonly<Record<string, number>>> {
  const bench = await openDoor(door)
  const faults: Record<string, number> = {}
  try {
    for (const [name, shape] of Object.entries(door.shapes)) {
      const ratio = await ratioOf(bench, shape, Math.min(door.limit, MAX_LENGTH))
      if (ratio !== undefined && ratio > MAX_RATIO) faults[name] = Math.round(ratio)
    }
  } finally {
    await bench.close()
  }
  return faults
}
