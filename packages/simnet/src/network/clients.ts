import { utf8ToBytes } from '@org/types/bytes'
import type { SimNode } from '../node/index.ts'
import type { SimNetwork } from './sim-network.ts'

/** The clients of a network, which send transactions. */
export interface Clients {
  /** Sends a transaction to a node, if the node runs. */
  readonly submit: (node: SimNode, tx: string) => void
  /** Sends a new transaction to a running node every `everyMs` milliseconds. */
  readonly load: (everyMs: number) => void
}

export function createClients(
  network: Pick<SimNetwork, 'nodes' | 'scheduler' | 'random' | 'trace' | 'monitor'>,
): Clients {
  const { nodes, scheduler, random, trace, monitor } = network

  function submit(node: SimNode, tx: string): void {
    const engine = node.engine()
    if (engine === undefined || node.status() !== 'running') return
    monitor.submitted(tx)
    trace.note('client', '>', node.name, tx)
    engine.mempool.checkTx(utf8ToBytes(tx)).catch(() => undefined)
  }

  function load(everyMs: number, count = 0): void {
    scheduler.after(everyMs, () => {
      const to = nodes.filter((node) => node.status() === 'running')
      if (to.length > 0) submit(random.pick(to), `tx:${count}`)
      load(everyMs, count + 1)
    })
  }

  return { submit, load: (everyMs) => load(everyMs) }
}
