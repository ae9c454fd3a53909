import type { BlockMaking, ChainEvents, ChainStart, CommittedChain, Engine, Pools } from '@org/engine'
import type { RpcMempool } from './mempool.ts'

/** The engine, as the RPC uses it: an `Engine` fits. */
export interface RpcEngine extends ChainStart, CommittedChain, ChainEvents, Pick<BlockMaking, 'isWaitingForBlocks'> {
  readonly abci: Pick<Engine['abci'], 'mempool' | 'query'>
  readonly consensus: Pick<BlockMaking['consensus'], 'roundState' | 'onHalt' | 'isBusy' | 'onPause'>
  readonly mempool: RpcMempool
  readonly evidencePool: Pick<Pools['evidencePool'], 'addEvidence'>
}
