import type { AbciConnections } from '@org/abci'
import type { Metrics } from '@org/runtime'
import type { BlockSyncModules } from '../blocksync/index.ts'
import type { GossipConsensus } from '../consensus/gossip/index.ts'
import type { EvidenceGossipModules } from '../evidence/gossip/index.ts'
import type { GossipMempool } from '../mempool/gossip/index.ts'
import type { BlockMaking, ChainStart, CommittedChain, SignatureWork } from '../node/index.ts'

/** The parts of an engine that the P2P layer uses. An `Engine` has all of them. */
export interface P2pEngine
  extends Pick<ChainStart, 'initialState' | 'publicKey'>,
    Pick<CommittedChain, 'blockStore'>,
    Pick<BlockMaking, 'isWaitingForBlocks' | 'startConsensus'>,
    SignatureWork {
  readonly abci: Pick<AbciConnections, 'query' | 'snapshot'>
  readonly consensus: GossipConsensus & Pick<BlockMaking['consensus'], 'isBusy' | 'heldFor'>
  readonly executor: BlockSyncModules['executor']
  readonly mempool: GossipMempool
  readonly evidencePool: EvidenceGossipModules['pool']
  readonly metrics: Metrics
}
