import { createHash } from 'node:crypto'

/** The nanoseconds that the loop below took on the machine on which the figures of the doors were measured. */
const REFERENCE_NS = 20_000_000

/** The speed of this machine: times are multiplied by it before they are compared with the figures of the doors. */
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
