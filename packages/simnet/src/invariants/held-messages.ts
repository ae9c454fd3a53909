import { DEFAULT_DRIVER_OPTIONS } from '@org/engine'
import { DEFAULT_BLOCKSYNC_OPTIONS } from '@org/engine/protocols'
import type { Held } from '@org/runtime'
import type { SimNode } from '../node/index.ts'

const { queueCapacity, queueBytes } = DEFAULT_DRIVER_OPTIONS
const { pool } = DEFAULT_BLOCKSYNC_OPTIONS

/** The maximum amount of data that each part of a node may hold because of one peer's messages. */
const BOUNDS = {
  // A node holds messages of a peer in two places: in the queue of the machine, and among the messages that wait for
  // exact checks of signatures. The last message in each place may exceed the limit.
  consensus: { items: 2 * queueCapacity, bytes: 2 * (queueBytes + 2 ** 20) },
  // A node keeps the next two blocks even if they are larger than the limit `maxBytes`.
  blocksync: { items: pool.maxPendingPerPeer, bytes: 2 * pool.maxBytes },
} as const satisfies Record<string, Held>

/** Checks that a node does not hold too much data because of a hostile peer. */
export interface HeldMessageRules {
  /** To be called at short intervals, for each pair of an honest node and a hostile node. */
  readonly check: (by: SimNode, from: SimNode) => void
}

export function createHeldMessageRules(violate: (rule: string, detail: string) => void): HeldMessageRules {
  /**
   * The violations that were reported already. Each violation is reported only once. The key consists of the names of
   * the node and of the hostile peer, and the part of the node: `consensus` or `blocksync`.
   */
  const reported = new Set<string>()
  return {
    check: (by, from) => {
      const held = by.p2p()?.heldFor(from.options.address.id)
      if (held === undefined) return
      for (const part of ['consensus', 'blocksync'] as const) {
        const [{ items, bytes }, limit] = [held[part], BOUNDS[part]]
        const what = `${by.name} ${from.name} ${part}`
        if ((items <= limit.items && bytes <= limit.bytes) || reported.has(what)) continue
        reported.add(what)
        const bound = `at most ${limit.items} items and ${limit.bytes} bytes are allowed`
        violate(
          'held',
          `${by.name} holds ${items} items with ${bytes} bytes that ${from.name} sent in ${part}: ${bound}`,
        )
      }
    },
  }
}
