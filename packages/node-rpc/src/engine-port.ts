import type { BlockMaking, ChainEvents, ChainStart, CommittedChain, Engine, Pools } from '@org/engine'
import type { RpcMempool } from './mempool.ts'

/** The parts of the engine that the RPC uses. An `Engine` has all of them. */
export interface RpcEngine extends ChainStart, CommittedChain, ChainEvents, Pick<BlockMaking, 'isWaitingForBlocks'> {
  readonly abci: Pick<Engine['abci'], 'mempool' | 'query'>
  readonly consensus: Pick<BlockMaking['consensus'], 'roundState' | 'onHalt' | 'isBusy' | 'onPause'>
  readonly mempool: RpcMempool
  readonly evidencePool: Pick<Pools['evidencePool'], 'addEvidence'>
}
