import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { RequestFinalizeBlock, RequestInfo } from '@org/types/abci'
import { expect, test } from 'vitest'
import { createConnections } from '../src/index.ts'
import { temporaryDirectory } from './helpers.ts'

test('default: the application of the README runs', async () => {
  await using directory = await temporaryDirectory()
  const address = `unix://${directory.path}/app.sock`
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1]?.replace('tcp://127.0.0.1:26658', address) ?? ''
  expect(code).toContain(address)
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module-typescript', '--eval', code], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
  })
  const connections = createConnections({ kind: 'socket', address })
  await using closing = new AsyncDisposableStack()
  closing.defer(() => void child.kill())
  closing.defer(connections.stop)
  await connections.start(AbortSignal.timeout(20_000))
  const { consensus, query, mempool } = connections
  expect((await mempool.checkTx({ tx: new Uint8Array(101), type: 0 })).code).toBe(1)
  const txs = [Uint8Array.of(1, 2, 3, 4, 5)]
  const block = await consensus.finalizeBlock(RequestFinalizeBlock.create({ height: 1, txs }))
  expect([...(block.txResults[0]?.data ?? [])]).toEqual([1, 2, 3, 4])
  await consensus.commit()
  const { data, lastBlockHeight } = await query.info(RequestInfo.create())
  expect([data, lastBlockHeight]).toEqual(['1 transactions', 1])
})
