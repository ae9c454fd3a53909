import { expect, test } from 'vitest'
import { jobNamed } from '../src/named.ts'
import { runNetwork } from '../src/run-network.ts'

test('behavior: RPC clients receive the stored data of the nodes, and each transaction once', async () => {
  const job = jobNamed('chosen rpc clients')
  if (job === undefined || !('scenario' in job)) throw new Error('there is no such network')
  const { violations, heights, counts } = await runNetwork(job)
  expect(violations).toEqual([])
  expect(heights).toBeGreaterThan(5)
  expect(counts).toMatchObject({ crash: 2 })
})
