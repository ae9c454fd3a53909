import type { Violation } from '../invariants/index.ts'
import type { SimNode } from '../node/index.ts'
import type { SimNetwork } from './create-network.ts'

export interface Conclusion {
  /** So many new heights must come. Default 3. */
  readonly heights?: number
  /** In so many virtual milliseconds. Default 60,000. */
  readonly withinMs?: number
  /** Nodes of which nothing is expected. */
  readonly except?: readonly SimNode[]
}

/** Happenings that may wait, a node: queues and timers are bounded. */
const MAX_PENDING_PER_NODE = 5000

/** What can be said only at the end: new heights come, nothing has piled up, and all that was told is found. */
export async function concludeNetwork(
  { genesis, nodes, monitor, scheduler, heightOf }: Omit<SimNetwork, 'conclude'>,
  { heights = 3, withinMs = 60_000, except = [] }: Conclusion,
): Promise<readonly Violation[]> {
  const honest = nodes.filter((node) => !except.includes(node))
  const from = Math.max(monitor.record.height(), genesis.initialHeight - 1)
  const wanted = from + heights
  const hasAll = (): boolean =>
    monitor.violations().length > 0 ||
    (monitor.record.height() >= wanted && honest.every((node) => heightOf(node) >= wanted))
  await scheduler.run(hasAll, scheduler.now() + withinMs)
  if (!hasAll()) {
    const at = honest.map((node) => `${node.name} ${node.status()} at ${heightOf(node)}`).join(', ')
    monitor.violate('liveness', `no ${heights} heights after ${from} in ${withinMs / 1000} s without faults: ${at}`)
  }
  if (scheduler.pending() > MAX_PENDING_PER_NODE * nodes.length) {
    monitor.violate('bounds', `${scheduler.pending()} happenings wait`)
  }
  await monitor.conclude(nodes)
  return monitor.violations()
}
