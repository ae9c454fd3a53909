import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { afterEach, expect, test } from 'vitest'
import { createTestNetwork, type TestNetwork, type TestNode } from './test-network.ts'

let network: TestNetwork | undefined
afterEach(async () => {
  await network?.stop()
  network = undefined
})

function headersOf({ engine }: TestNode, upTo: number): string[] {
  return Array.from({ length: upTo }, (_, i) => {
    const meta = engine.blockStore.loadBlockMeta(i + 1)
    return meta === undefined ? '' : `${bytesToHex(meta.blockId.hash)} ${bytesToHex(meta.header.appHash)}`
  })
}

test('default: four validators make the same blocks of the transactions that each of them was given', async () => {
  network = createTestNetwork()
  const { nodes, add, reached } = network
  for (let i = 0; i < 4; i++) await add()
  await reached(2)
  await Promise.all(nodes.map(({ engine }, i) => engine.mempool.checkTx(utf8ToBytes(`from=${i}`))))
  await reached(20)
  const [first, ...others] = nodes.map((node) => headersOf(node, 20))
  for (const other of others) expect(other).toEqual(first)
  for (const { app } of nodes) expect([...app.txs].sort()).toEqual(['from=0', 'from=1', 'from=2', 'from=3'])
  // Everyone signed: what the last validators said got to the next proposer in time.
  const commit = nodes[0]?.engine.blockStore.loadBlockCommit(10)
  expect(commit?.signatures.map(({ blockIdFlag }) => blockIdFlag)).toEqual([2, 2, 2, 2])
}, 30_000)
