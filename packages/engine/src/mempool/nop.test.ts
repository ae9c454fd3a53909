import { expect, test } from 'vitest'
import { createNopMempool } from './nop.ts'

test('default: the nop mempool accepts and returns no transactions', async () => {
  const pool = createNopMempool()
  const tx = new Uint8Array([1])
  await expect(pool.checkTx(tx)).rejects.toThrow('not allowed with `nop` mempool')
  expect(await pool.reapMaxBytesMaxGas(-1, -1n)).toEqual([])
  const release = await pool.lock()
  await pool.update({ height: 1, txs: [tx], txResults: [] })
  await pool.flushAppConn()
  release()
  expect([pool.size(), pool.sizeBytes(), pool.reapMaxTxs(-1).length]).toEqual([0, 0, 0])
})
