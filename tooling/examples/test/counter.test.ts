import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appAndNode } from './node-home.ts'

const counter = join(import.meta.dirname, '../src/counter.ts')

test('default: the application of the README runs behind a node', async () => {
  await using both = await appAndNode((address) => [counter, address])
  both.startApp()
  await both.startNode()
  const { get } = both
  const { tx_result: result } = await get('broadcast_tx_commit?tx="hello"')
  expect(result).toMatchObject({ code: 0 })
  expect(await get('abci_query')).toMatchObject({ response: { value: btoa('1') } })
  expect(await get(`broadcast_tx_sync?tx="${'x'.repeat(101)}"`)).toMatchObject({ code: 1, log: 'at most 100 bytes' })
})
