import { type Costs, KEPT_PER_BYTE } from './door.ts'
import type { Sample } from './measure.ts'

/** The minimum measured time in nanoseconds that counts. Shorter times are mostly noise. */
const MIN_NS = 400_000
/**
 * The minimum measured growth of the memory in bytes that counts. A smaller growth is mostly noise, and counts as 0.
 */
const MIN_BYTES = 2_000_000

/**
 * The maximum exponent of the growth. If the length doubles, the time may grow by the factor 2 to the power of this
 * exponent. With exponent 1 the growth is linear, and with exponent 2 it is quadratic.
 */
const MAX_EXPONENT = 1.5

const exponentBetween = (a: Sample, b: Sample): number => Math.log(b.ns / a.ns) / Math.log(b.bytes / a.bytes)

/**
 * Returns the exponent by which the time grows with the length. Returns 1 if too few samples take long enough. Real
 * growth raises the time at each doubling of the length. A jump raises the time at only one doubling, for example when
 * the system begins to map memory. A jump does not count as growth.
 */
export function exponentOf(samples: readonly Sample[]): number {
  const long = samples.filter(({ ns }) => ns >= MIN_NS).slice(-4)
  const [first, last] = [long[0], long.at(-1)]
  if (first === undefined || last === undefined || last.bytes < 3 * first.bytes) return 1
  const doublings = long.slice(1).map((sample, index) => exponentBetween(long[index] as Sample, sample))
  const middle = doublings.toSorted((a, b) => a - b)[Math.floor((doublings.length - 1) / 2)] as number
  return Math.min(exponentBetween(first, last), middle)
}

export interface Judged {
  readonly exponent: number
  readonly nsPerByte: number
  readonly heldPerByte: number
  readonly keptPerByte: number
  readonly faults: readonly string[]
}

/**
 * Compares the costs of the longest input with the maximum costs of the door, and returns the costs and the faults.
 * `speed` is the factor of {@link machineSpeed} for this machine.
 */
export function judge(samples: readonly Sample[], costs: Costs, speed: number): Judged {
  const last = samples.at(-1) as Sample
  const exponent = exponentOf(samples)
  const perByte = (value: number, least: number): number => (value < least ? 0 : value / last.bytes)
  const nsPerByte = perByte(last.ns, MIN_NS) * speed
  const heldPerByte = perByte(last.held, MIN_BYTES)
  const keptPerByte = perByte(last.kept, MIN_BYTES)
  const faults: string[] = []
  if (exponent > MAX_EXPONENT) faults.push(`the time grows more than linearly: exponent ${exponent.toFixed(2)}`)
  if (nsPerByte > costs.nsPerByte)
    faults.push(`${nsPerByte.toFixed(0)} ns per byte, at most ${costs.nsPerByte} are allowed`)
  if (heldPerByte > costs.heldPerByte) {
    faults.push(`${heldPerByte.toFixed(0)} bytes of memory per byte, at most ${costs.heldPerByte} are allowed`)
  }
  const turnMs = (last.turnNs * speed) / 1e6
  if (costs.turnMs !== undefined && turnMs > costs.turnMs) {
    faults.push(`one turn of the event loop takes ${turnMs.toFixed(0)} ms, at most ${costs.turnMs} are allowed`)
  }
  if (keptPerByte > KEPT_PER_BYTE) faults.push(`${keptPerByte.toFixed(1)} bytes of memory per byte are never freed`)
  return { exponent, nsPerByte, heldPerByte, keptPerByte, faults }
}
