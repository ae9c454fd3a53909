import { type BlockExecutor, createBlockExecutor, type ExecutorModules } from '../../src/execution/index.ts'
import { createNopMempool } from '../../src/mempool/index.ts'
import { quiet } from './replayed.ts'
import { agreeableApp, type memoryStores } from './test-chain.ts'

export const noEvidence: ExecutorModules['evidencePool'] = {
  pendingEvidence: () => ({ evidence: [], size: 0 }),
  checkEvidence: () => Promise.resolve(),
  update: () => Promise.resolve(),
}

/**
 * Applies blocks to stores. By default, the application accepts everything and there is no evidence; `modules` can
 * contain another application and another evidence pool.
 */
export function plainExecutor(
  stores: ReturnType<typeof memoryStores>,
  modules: Partial<ExecutorModules> = {},
  blockTimeTolerance = 0n,
): BlockExecutor {
  return createBlockExecutor(
    { blockTimeTolerance },
    { ...quiet, ...stores, app: agreeableApp(), mempool: createNopMempool(), evidencePool: noEvidence, ...modules },
  )
}
