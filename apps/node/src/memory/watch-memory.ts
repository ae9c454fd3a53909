import type { Engine, TxMemoryControl } from '@org/engine'
import type { ConnectedPeers, OperatorPeers, Peer } from '@org/p2p'
import type { Clock, Logger } from '@org/runtime'
import { CodedError } from '@org/runtime/errors'
import { type ClientMemory, type HoldingPeer, memoryMeasures } from './measures.ts'
import { createMemoryReader } from './readings.ts'
import type { MemoryLimits } from './shares.ts'
import { createMemoryWatch, type MemoryWatch, SHORT_OF_MEMORY } from './watch.ts'

export interface WatchedNode {
  readonly engine: Pick<Engine, 'metrics'> & { readonly mempool: Pick<TxMemoryControl, 'setShortOfMemory'> }
  readonly peers: Pick<ConnectedPeers, 'peers' | 'stopPeer'> & Pick<OperatorPeers, 'isUnconditional'>
  /** The memory that clients of the RPC use; `undefined` if the node has no RPC. */
  readonly clients: ClientMemory | undefined
  readonly clock: Clock
  readonly logger: Logger
}

/** Returns the rank of a peer. The operator's own peers, such as the validator behind a sentry, are closed last. */
function rankOf(peer: Peer, { isUnconditional }: Pick<OperatorPeers, 'isUnconditional'>): number {
  if (isUnconditional(peer.id)) return 3
  if (peer.persistent) return 2
  return peer.outbound ? 1 : 0
}

/** Starts to watch the memory of this process. When the process is short of memory, frees memory of this node. */
export function watchMemory(limits: MemoryLimits, { engine, peers, clients, clock, logger }: WatchedNode): MemoryWatch {
  const measures = memoryMeasures({
    clients,
    mempool: engine.mempool,
    peers: () =>
      peers.peers().map(
        (peer): HoldingPeer => ({
          id: peer.id,
          heldBytes: peer.heldBytes(),
          rank: rankOf(peer, peers),
          close: (reason) => peers.stopPeer(peer, reason),
        }),
      ),
    closedPeer: ({ id, heldBytes }) =>
      new CodedError(SHORT_OF_MEMORY, `the node is short of memory, and this peer holds ${heldBytes} bytes`, {
        data: { id, heldBytes },
      }),
  })
  const watch = createMemoryWatch({
    reader: createMemoryReader(limits),
    measures,
    clock,
    logger,
    metrics: engine.metrics,
  })
  watch.start()
  return watch
}
