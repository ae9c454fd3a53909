import type { AbciConnections } from '@org/abci'
import type { Clock, Logger, Metrics } from '@org/runtime'
import type { State } from '@org/types'
import { waitsForTxs } from '../consensus/machine/index.ts'
import { txPostCheck, txPreCheck } from '../execution/index.ts'
import { createFloodMempool, createNopMempool, type Mempool } from '../mempool/index.ts'
import type { EngineOptions } from './options.ts'

export interface MempoolParts {
  readonly abci: Pick<AbciConnections, 'mempool'>
  readonly state: State
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

export function createMempool({ mempool, consensus }: EngineOptions, parts: MempoolParts): Mempool {
  if (mempool.kind === 'nop') return createNopMempool()
  const { abci, state, clock, logger, metrics } = parts
  const app = abci.mempool
  const created = createFloodMempool(mempool, {
    app: { checkTx: app.checkTxNow ?? app.checkTx, flush: app.flush, onError: app.onError },
    clock,
    logger: logger.child('mempool'),
    metrics,
    height: state.lastBlockHeight,
    preCheck: txPreCheck(state),
    postCheck: txPostCheck(state),
  })
  if (waitsForTxs(consensus)) created.enableTxsAvailable()
  return created
}
