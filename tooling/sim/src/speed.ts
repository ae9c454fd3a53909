import { createNetwork } from '@org/simnet'

const SIZES = [
  { validators: 1, heights: 1000, peersPerNode: 1 },
  { validators: 4, heights: 1000, peersPerNode: 3 },
  { validators: 20, heights: 30, peersPerNode: 4 },
  { validators: 100, heights: 4, peersPerNode: 5 },
]

/** Measures how many heights per second networks of several sizes make. The networks have no faults. */
export async function runSpeed(): Promise<boolean> {
  for (const { validators, heights, peersPerNode } of SIZES) {
    const network = createNetwork({ seed: 1, validators, peersPerNode, keepTrace: 0, watchEveryMs: 0 })
    network.start()
    const begun = performance.now()
    const cpuBefore = process.cpuUsage()
    const reached = await network.reach(heights, 3_600_000)
    const seconds = (performance.now() - begun) / 1000
    const { user, system } = process.cpuUsage(cpuBefore)
    const broken = network.monitor.violations()
    console.log(
      `${String(validators).padStart(4)} validators: ${(heights / seconds).toFixed(1)} heights/s (${heights} in ${seconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of processor, virtual ${(network.scheduler.now() / 1000).toFixed(0)} s)`,
    )
    if (!reached || broken.length > 0) {
      console.error(broken[0] ?? 'the network did not reach the heights in time')
      return false
    }
  }
  return true
}
