import { boundFaults } from '../invariants/index.ts'
import type { SimNetwork } from './sim-network.ts'

/** Checks regularly what the nodes keep in memory, and reports each excess once. */
export function watchSizes(
  { nodes, scheduler, monitor }: Pick<SimNetwork, 'nodes' | 'scheduler' | 'monitor'>,
  everyMs: number,
): void {
  const reported = new Set<string>()
  const checkSizes = (): void => {
    for (const node of nodes) {
      monitor.looked(node)
      for (const { what, detail } of boundFaults(node, nodes.length)) {
        if (reported.has(`${node.name} ${what}`)) continue
        reported.add(`${node.name} ${what}`)
        monitor.violate('bounds', `the size '${what}' of ${node.name} breaks its bound: ${detail}`)
      }
    }
    scheduler.after(everyMs, checkSizes)
  }
  checkSizes()
}
