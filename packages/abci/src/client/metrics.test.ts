import { type Metrics, noopMetrics } from '@org/runtime'
import { RequestCheckTx } from '@org/types/abci'
import { expect, test } from 'vitest'
import { createConnections } from './connections.ts'

test('default: the durations of calls have the name and the labels of the reference', async () => {
  const seen: unknown[] = []
  const metrics: Metrics = {
    ...noopMetrics,
    histogram: ({ name }) => ({ observe: (value, labels) => void seen.push([name, value >= 0, labels]) }),
  }
  const { mempool, consensus } = createConnections({ kind: 'local', app: {} }, { metrics })
  await mempool.checkTx(RequestCheckTx.create())
  expect(mempool.checkTxNow?.(RequestCheckTx.create())).toMatchObject({ code: 0 })
  await consensus.commit()
  const name = 'abci_connection_method_timing_seconds'
  expect(seen).toEqual([
    [name, true, { method: 'check_tx', type: 'async' }],
    [name, true, { method: 'check_tx', type: 'async' }],
    [name, true, { method: 'commit', type: 'sync' }],
  ])
})
