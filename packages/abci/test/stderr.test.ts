import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { RequestCheckTx, RequestQuery } from '@org/types/abci'
import { describe, expect, test } from 'vitest'
import { type AbciConnections, createConnections } from '../src/index.ts'
import { temporaryDirectory } from './helpers.ts'

const APPLICATION = `
import { createAbciServer } from '@org/abci'
const app = {
  checkTx: function refuseAll() { throw new Error('no such account \\u001b[2J') },
  query: () => ({ value: 5 }),
}
const [, address, kind] = process.argv
await createAbciServer({ address, kind }, { app }).start()
`

describe.each(['socket', 'grpc'] as const)('error: an application over %s without a logger', (kind) => {
  test.each([
    [
      'throws',
      ({ mempool }: AbciConnections) => mempool.checkTx(RequestCheckTx.create()),
      ['no such account', 'refuseAll'],
    ],
    [
      'answers wrongly',
      ({ query }: AbciConnections) => query.query(RequestQuery.create()),
      ['AbciError', 'query: value must be bytes'],
    ],
  ] as const)('%s: stderr has the error with its stack', async (_, ask, wanted) => {
    await using directory = await temporaryDirectory()
    const address = `unix://${directory.path}/app.sock`
    const child = spawn(
      process.execPath,
      ['--no-warnings', '--input-type=module', '--eval', APPLICATION, address, kind],
      {
        cwd: fileURLToPath(new URL('..', import.meta.url)),
        stdio: ['ignore', 'inherit', 'pipe'],
      },
    )
    const text = (async () => (await child.stderr.toArray()).join(''))()
    const connections = createConnections({ kind, address })
    {
      await using closing = new AsyncDisposableStack()
      closing.defer(() => void child.kill())
      closing.defer(connections.stop)
      await connections.start(AbortSignal.timeout(20_000))
      await expect(ask(connections)).rejects.toMatchObject({ code: 'ABCI_EXCEPTION' })
    }
    // The text on stderr is complete only when the child process has ended.
    for (const part of wanted) expect(await text).toMatch(new RegExp(part))
    expect(await text).toMatch(/\n +at /)
    expect(await text).not.toContain('\u001b')
  })
})
