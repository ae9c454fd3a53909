import { createHash } from 'node:crypto'

/**
 * The time of the loop in `machineSpeed` on the reference machine, in nanoseconds. The maximum costs of all doors
 * were measured on that machine.
 */
const REFERENCE_NS = 20_000_000

/**
 * Returns how fast this machine is, as a factor; the reference machine has 1. A time on this machine, multiplied by
 * the factor, can be compared with the maximum costs of the doors.
 */
export function machineSpeed(): number {
  let best = Number.POSITIVE_INFINITY
  const data = new Uint8Array(4096)
  for (let i = 0; i < 5; i++) {
    const before = process.cpuUsage()
    let sum = 0
    for (let j = 0; j < 2_000_000; j++) sum = (Math.imul(sum, 31) + (data[j & 4095] as number) + j) | 0
    for (let j = 0; j < 4000; j++) sum ^= createHash('sha256').update(data).digest()[0] as number
    data[0] = sum & 255
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) * 1000)
  }
  return REFERENCE_NS / best
}
