import type { JoinerOptions } from '../servers/index.ts'
import type { SimNetwork } from './sim-network.ts'

const POLL_MS = 50

/** When the chain has reached the height `startAt`, starts the nodes that begin with a snapshot. */
export function startJoiners(
  { nodes, scheduler, monitor }: Pick<SimNetwork, 'nodes' | 'scheduler' | 'monitor'>,
  { startAt }: Pick<JoinerOptions, 'startAt'>,
): void {
  const start = (): void => {
    if (monitor.record.height() < startAt) return void scheduler.after(POLL_MS, start)
    for (const node of nodes) if (node.isJoiner && node.status() === 'down') void node.start()
  }
  scheduler.after(POLL_MS, start)
}
