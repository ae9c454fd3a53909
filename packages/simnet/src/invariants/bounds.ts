import { DEFAULT_DRIVER_OPTIONS, DEFAULT_MEMPOOL_OPTIONS } from '@org/engine'
import { DEFAULT_BLOCKSYNC_OPTIONS } from '@org/engine/protocols'
import type { SimNode } from '../node/index.ts'

/** The values of a node and its network on which a bound may depend. */
interface Around {
  /** The number of connected peers. */
  readonly peers: number
  /** The number of nodes in the network. */
  readonly nodes: number
  readonly round: number
  /** The node's limit for transactions in the mempool. */
  readonly mempoolSize: number
  readonly mempoolSeen: number
}

type Bound = (around: Around) => number

const connected: Bound = ({ peers }) => peers
const { maxPending } = DEFAULT_MEMPOOL_OPTIONS
const { pool, maxQueuedRequests } = DEFAULT_BLOCKSYNC_OPTIONS

/**
 * The maximum number of items of each kind that a node may keep. If `LIMITS.md` has a number for the kind, it is that
 * number. Otherwise, it is the greatest number that a simulated run can produce.
 */
const BOUNDS: Readonly<Record<string, Bound>> = {
  'consensus inbox': () => DEFAULT_DRIVER_OPTIONS.queueCapacity,
  // The last message in the queue of inputs may exceed the limit, so the bound is one MiB higher.
  'consensus inboxBytes': () => DEFAULT_DRIVER_OPTIONS.queueBytes + 2 ** 20,
  // The number of the node's own inputs that are taken in a row while inputs of peers wait. The bound is
  // `MAX_LOCAL_IN_A_ROW` of the queue of inputs (`inbox.ts`).
  'consensus localInARow': () => 16,
  'consensus later': () => DEFAULT_DRIVER_OPTIONS.queueCapacity,
  // The outbox. It holds the node's own messages of one height, which wait while the disk is slow.
  'consensus held': ({ round }) => 2000 * (round + 1),
  // The buffer of the WAL. It holds the messages that arrive during one sync of the WAL on a slow disk.
  'consensus log': () => 5000,
  'consensus rounds': ({ round, nodes }) => round + 2 + 2 * nodes,
  'mempool txs': ({ mempoolSize }) => mempoolSize,
  'mempool seen': ({ mempoolSeen }) => mempoolSeen,
  'mempool asked': ({ mempoolSize }) => mempoolSize + maxPending,
  'mempool waiting': () => maxPending,
  'mempool listeners': () => 4,
  // Each item is evidence against one validator. A network makes at most two items in all per height and round.
  'evidence pending': () => 1000,
  'evidence toGossip': () => 1000,
  'evidence marking': () => 1000,
  'evidence reported': () => 10_000,
  'events clients': () => 100,
  'signatures verified': () => 20_000,
  'switch peers': connected,
  'switch dialling': ({ nodes }) => nodes,
  'switch scores': ({ nodes }) => nodes,
  // A simulated connection carries whole messages, so no message is unfinished.
  'switch unfinishedBytes': () => 0,
  'gossip of consensus peers': connected,
  'gossip of consensus fresh': () => 4096,
  'gossip of consensus announcements': () => 250,
  'gossip of blocksync peers': connected,
  'gossip of blocksync known': connected,
  'gossip of blocksync ranges': connected,
  'gossip of blocksync blocks': () => pool.maxBlocks,
  'gossip of blocksync requests': () => maxQueuedRequests,
  'gossip of mempool peers': connected,
  'gossip of mempool senders': connected,
  'gossip of evidence peers': connected,
  'gossip of statesync peers': connected,
  'gossip of statesync requests': () => 64,
  'gossip of pex peers': connected,
  'gossip of pex asked': connected,
  'gossip of pex answered': connected,
  'gossip of pex guarded': connected,
  'gossip of pex failed': () => 5000,
  'gossip of pex crawled': () => 10_000,
  'gossip of pex addresses': () => 256 * 64 + 64 * 64,
}

/** A kind of item of which a node keeps more than it may. */
export interface BoundFault {
  readonly what: string
  readonly detail: string
}

/**
 * Returns a fault for each kind of item of which the node keeps more than its bound. If a kind has no bound in
 * `BOUNDS`, returns a fault for this kind too.
 */
export function boundFaults(node: SimNode, nodes: number): readonly BoundFault[] {
  const [engine, p2p] = [node.engine(), node.p2p()]
  if (engine === undefined || p2p === undefined || node.status() !== 'running') return []
  const { mempoolSize, mempoolSeen } = node.options
  const around = {
    peers: p2p.peers.peers().length,
    nodes,
    round: engine.consensus.roundState().round,
    mempoolSize,
    mempoolSeen,
  }
  const faults: BoundFault[] = []
  for (const sizes of [engine.sizes(), p2p.sizes()]) {
    for (const what in sizes) {
      const kept = sizes[what] as number
      const bound = BOUNDS[what]?.(around)
      if (bound === undefined) faults.push({ what, detail: 'this size has no bound in bounds.ts' })
      else if (kept > bound) faults.push({ what, detail: `it is ${kept}, and at most ${bound} is allowed` })
    }
  }
  return faults
}
