import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Application, createAbciServer } from '@org/abci'
import { noopLogger } from '@org/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { HALLEY, launch, run, temporaryFolder } from './support/process.ts'

/**
 * Returns an application without a stored state. Its app hash is the total length of all transactions, multiplied by
 * `price`.
 */
function counter(price: number, finalized: string[] = []): Application {
  let total = 0
  return {
    initChain: () => {
      total = 0
    },
    finalizeBlock: ({ txs }) => ({
      txResults: txs.map((tx) => {
        const text = new TextDecoder().decode(tx)
        if (text === 'boom' && price === 1) throw new Error('cannot execute boom')
        finalized.push(text)
        total += tx.length * price
        return { code: 0, events: [{ type: 'paid', attributes: [{ key: 'what', value: text, index: true }] }] }
      }),
      appHash: String(total),
    }),
    query: () => ({ value: String(total) }),
  }
}

async function startRemote(kind: 'socket' | 'grpc', flags: readonly string[] = ['--ephemeral']) {
  const folder = temporaryFolder()
  const address = `unix://${join(folder, 'app.sock')}`
  const serveApp = async (app: Application) => {
    const server = createAbciServer({ address, kind }, { app, logger: noopLogger })
    await server.start()
    onTestFinished(() => server.stop())
    return server
  }
  const devnet = launch(HALLEY, [
    'devnet',
    ...flags,
    '--rpc.laddr=tcp://127.0.0.1:0',
    `--proxy_app=${address}`,
    `--abci=${kind}`,
  ])
  const ask = async (path: string) => {
    const url = /RPC +(\S+)/.exec(devnet.output())?.[1] ?? ''
    return ((await (await fetch(url + path)).json()) as { readonly result: Readonly<Record<string, unknown>> }).result
  }
  const total = async (): Promise<string> => {
    const { response } = (await ask('/abci_query?path="/total"')) as { response: { value: string } }
    return atob(response.value)
  }
  const sawTimes = (text: string, times: number) =>
    expect.poll(() => devnet.output().split(text).length - 1, { timeout: 30_000 }).toBeGreaterThanOrEqual(times)
  return { ...devnet, serveApp, ask, total, sawTimes }
}

test.each(['socket', 'grpc'] as const)(
  'behavior: a devnet survives the restart of its application (%s), and replays the chain into it',
  async (kind) => {
    const devnet = await startRemote(kind)
    const first = await devnet.serveApp(counter(1))
    await devnet.saw('abci_query')
    expect(devnet.output()).toContain('with the application at unix://')
    expect(await devnet.ask('/broadcast_tx_commit?tx="hello"')).toMatchObject({ tx_result: { code: 0 } })
    await devnet.saw('paid what=hello')
    await first.stop()
    await devnet.saw('The connection to the application is lost')
    const finalized: string[] = []
    await devnet.serveApp(counter(1, finalized))
    await devnet.sawTimes('Ready at block', 1)
    expect(finalized).toEqual(['hello'])
    expect(await devnet.total()).toBe('5')
    expect(await devnet.ask('/broadcast_tx_commit?tx="more"')).toMatchObject({ tx_result: { code: 0 } })
    expect(devnet.output()).not.toMatch(/CONSENSUS FAILURE|Please restart/)
    expect(await devnet.stop('SIGINT')).toBe(0)
  },
)

test('behavior: another version of the application, with another app hash, begins a new chain', async () => {
  const devnet = await startRemote('socket')
  const first = await devnet.serveApp(counter(1))
  await devnet.saw('abci_query')
  await devnet.ask('/broadcast_tx_commit?tx="hello"')
  await first.stop()
  await devnet.saw('The connection to the application is lost')
  await devnet.serveApp(counter(2))
  await devnet.sawTimes('Ready at block', 1)
  expect(devnet.output()).toMatch(/A new chain begins: .*\n +chain +35 \("5"\)\n +application +3130 \("10"\)\n/)
  expect(await devnet.total()).toBe('0')
  expect(await devnet.stop('SIGINT')).toBe(0)
})

test('error: the chain of a home that devnet did not make is kept, also after another app hash', async () => {
  const home = join(temporaryFolder(), 'home')
  await run(HALLEY, ['init', '--home', home])
  // The moniker and the app.toml make the home look like a home of the Cosmos SDK.
  writeFileSync(join(home, 'config/app.toml'), '')
  const flags = ['--home', home, '--moniker=node0', '--p2p.laddr=tcp://127.0.0.1:0', '--log_level=error']
  const devnet = await startRemote('socket', flags)
  const first = await devnet.serveApp(counter(1))
  await devnet.saw('abci_query')
  await devnet.ask('/broadcast_tx_commit?tx="hello"')
  const genesis = readFileSync(join(home, 'config/genesis.json'), 'utf8')
  await first.stop()
  await devnet.saw('The connection to the application is lost')
  const second = await devnet.serveApp(counter(2))
  await devnet.saw('so it keeps the chain of this home')
  await second.stop()
  await devnet.serveApp(counter(1))
  await devnet.saw('Ready at block')
  expect(await devnet.total()).toBe('5')
  expect(devnet.output()).not.toContain('A new chain begins')
  expect(await devnet.stop('SIGINT')).toBe(0)
  expect(readFileSync(join(home, 'config/genesis.json'), 'utf8')).toBe(genesis)
  const reset = await run(HALLEY, ['devnet', '--reset', '--home', home, '--moniker=node0'])
  expect(reset).toMatchObject({ code: 1, stderr: expect.stringContaining('it has config/app.toml') })
  expect(readFileSync(join(home, 'config/genesis.json'), 'utf8')).toBe(genesis)
})

test('error: an application that throws in finalizeBlock is reported, and a corrected application continues the chain', async () => {
  const devnet = await startRemote('socket')
  const first = await devnet.serveApp(counter(1))
  await devnet.saw('abci_query')
  await devnet.ask('/broadcast_tx_sync?tx="boom"')
  await devnet.saw('cannot execute boom')
  // The node tries the block again. The application still throws, so the error is printed a second time.
  await devnet.sawTimes('error ', 2)
  await first.stop()
  await devnet.serveApp(counter(2))
  await devnet.sawTimes('Ready at block', 1)
  expect(await devnet.total()).toBe('8')
  expect(await devnet.stop('SIGINT')).toBe(0)
})

test('behavior: Ctrl-C ends a devnet that waits for its application again', async () => {
  const devnet = await startRemote('socket')
  const first = await devnet.serveApp(counter(1))
  await devnet.saw('abci_query')
  await first.stop()
  await devnet.saw('Cannot connect to the application')
  expect(await devnet.stop('SIGINT')).toBe(0)
})
