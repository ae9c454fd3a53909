import type { Door, Shape } from './door.ts'
import { type Bench, openDoor } from './measure.ts'

/** Between 4 for linear time and 16 for quadratic time; a busy machine changes the ratio a little. */
const MAX_RATIO = 8
/** Shorter runs are too inexact: the input grows until a run takes this long. */
const LEAST_NS = 1_000_000
const SMALLEST = 1024
const RUNS = 5
/** A ratio above the bound is measured again this many times: noise only adds time, and rarely every time. */
const ATTEMPTS = 4

/**
 * The ratio of the times for a shape four times as long and for the shape itself; `undefined` if it is too fast to
 * measure.
 */
async function ratioOf(bench: Bench, shape: Shape, limit: number): Promise<number | undefined> {
  for (let size = SMALLEST; size * 4 <= limit; size *= 2) {
    const long = await bench.time(shape(size * 4), 1)
    if (long < LEAST_NS) continue
    let least = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < ATTEMPTS && least > MAX_RATIO; attempt++) {
      const [short, longer] = [await bench.time(shape(size), RUNS), await bench.time(shape(size * 4), RUNS)]
      // A short time that is mostly noise would hide quadratic time: a time below a sixteenth of the long one counts
      // as that sixteenth.
      least = Math.min(least, longer / Math.max(short, longer / 64))
    }
    return least
  }
  return undefined
}

/** The shapes of a door whose time grows much faster than their length, with the ratio for four times the length. */
export async function growthOf(door: Door): Promise<Readonly<Record<string, number>>> {
  const bench = await openDoor(door)
  const faults: Record<string, number> = {}
  for (const [name, shape] of Object.entries(door.shapes)) {
    const ratio = await ratioOf(bench, shape, Math.min(door.limit, 256 * 1024))
    if (ratio !== undefined && ratio > MAX_RATIO) faults[name] = Math.round(ratio)
  }
  await bench.close()
  return faults
}
