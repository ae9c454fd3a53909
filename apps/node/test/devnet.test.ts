import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createAbciServer } from '@org/abci'
import { freePort } from '@org/golden'
import { noopLogger } from '@org/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { HALLEY, launch, run, temporaryFolder } from './support/process.ts'

const KVSTORE = new URL('../../kvstore/bin/kvstore', import.meta.url).pathname

async function startDevnet(folder: string, ...args: readonly string[]) {
  const running = launch(
    'sh',
    ['-c', `cd "$0" && exec "$@"`, folder, HALLEY, 'devnet', '--rpc.laddr=tcp://127.0.0.1:0', ...args],
    {
      TMPDIR: folder,
    },
  )
  await running.saw('abci_query')
  const url = /RPC +(\S+)/.exec(running.output())?.[1] ?? ''
  const ask = async (path: string) =>
    ((await (await fetch(url + path)).json()) as { result: Record<string, unknown> }).result
  return { ...running, url, ask }
}

test('default: devnet makes a new chain, its curl lines work, and the next start continues it', async () => {
  const folder = temporaryFolder()
  const first = await startDevnet(folder)
  expect(first.output()).toContain(join(folder, '.halley', 'devnet'))
  expect(first.output().split('\n').length).toBeLessThan(18)
  expect(first.output()).toContain(
    'every web page in a browser on this machine may use the RPC (intended for development)',
  )
  const lines = [...first.output().matchAll(/curl '(\S+)'/g)].map(([, url = '']) => url)
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    const response = await fetch(line, { headers: { Origin: 'https://anywhere.example' } })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.json()).toHaveProperty('result')
  }
  for (const path of ['/docs', '/openapi.json']) {
    expect(first.output()).toContain(path)
    expect((await fetch(first.url + path)).status).toBe(200)
  }
  const events = / events (\S+)/.exec(first.output())?.[1] ?? ''
  expect(await (await fetch(events)).json()).toMatchObject({
    result: { events: [{ data: { type: 'tendermint/event/NewBlock' } }] },
  })
  expect(await first.stop('SIGINT')).toBe(0)

  const again = await startDevnet(folder)
  expect(await again.ask('/abci_query?data="name"')).toMatchObject({ response: { log: 'exists' } })
  expect(await again.stop('SIGINT')).toBe(0)
})

test('behavior: --ephemeral removes its home at the end', async () => {
  const folder = temporaryFolder()
  const devnet = await startDevnet(folder, '--ephemeral')
  const homes = (): string[] => readdirSync(folder).filter((name) => name.startsWith('halley-devnet-'))
  expect(homes()).toHaveLength(1)
  expect(await devnet.ask('/broadcast_tx_commit?tx="a=1"')).toMatchObject({ tx_result: { code: 0 } })
  expect(await devnet.stop('SIGINT')).toBe(0)
  expect(homes()).toEqual([])
  expect(existsSync(join(folder, '.halley'))).toBe(false)
})

test('error: a busy port is reported with advice', async () => {
  const folder = temporaryFolder()
  const devnet = await startDevnet(folder)
  const other = join(folder, 'other')
  const finished = await run(HALLEY, ['devnet', '--home', other, `--rpc.laddr=${devnet.url.replace('http', 'tcp')}`])
  expect(finished.code).toBe(1)
  expect(finished.stderr).toMatch(/another program listens on .* choose another address.* \[CLI_ADDRESS_IN_USE\]\n$/)
  expect(existsSync(other)).toBe(true)
  await devnet.stop('SIGINT')
})

interface NetInfo {
  readonly n_peers: string
}

interface Sync {
  readonly sync_info: { readonly latest_block_height: string; readonly latest_block_hash: string }
  readonly node_info: { readonly network: string }
}

test('behavior: --validators makes a network in one process, and the next start continues it', async () => {
  const folder = temporaryFolder()
  const start = async () => {
    const running = await startDevnet(folder, '--validators', '4')
    const urls = [...running.output().matchAll(/node\d +(http:\S+)/g)].map(([, url = '']) => url)
    const ask = async <T>(index: number, path: string): Promise<T> =>
      ((await (await fetch(`${urls[index]}${path}`)).json()) as { result: T }).result
    return { ...running, urls, ask }
  }
  const first = await start()
  expect(new Set(first.urls).size).toBe(4)
  expect(readdirSync(join(folder, '.halley', 'devnet-4')).toSorted()).toEqual(['node0', 'node1', 'node2', 'node3'])
  expect((await first.ask<NetInfo>(3, '/net_info')).n_peers).toBe('3')
  const { height } = await first.ask<{ height: string }>(1, '/broadcast_tx_commit?tx="shared=yes"')
  const at = Number(height) + 2
  const heightOf = async (index: number): Promise<number> =>
    Number((await first.ask<Sync>(index, '/status')).sync_info.latest_block_height)
  for (const index of [0, 1, 2, 3]) await expect.poll(() => heightOf(index), { timeout: 20_000 }).toBeGreaterThan(at)
  const blocks = await Promise.all([0, 1, 2, 3].map((index) => first.ask(index, `/block?height=${at}`)))
  for (const block of blocks) expect(block).toEqual(blocks[0])
  const chain = (await first.ask<Sync>(0, '/status')).node_info.network
  expect(await first.stop('SIGINT')).toBe(0)

  const again = await start()
  expect((await again.ask<Sync>(2, '/status')).node_info.network).toBe(chain)
  expect(await again.ask(2, '/abci_query?data="shared"')).toMatchObject({ response: { log: 'exists' } })
  expect(await again.ask(3, '/broadcast_tx_commit?tx="again=1"')).toMatchObject({ tx_result: { code: 0 } })
  expect(await again.stop('SIGINT')).toBe(0)

  const home = join(folder, '.halley', 'devnet-4')
  const other = await run(HALLEY, ['devnet', '--home', home, '--validators', '3'])
  expect(other.code).toBe(1)
  expect(other.stderr).toContain('has 4 validators')
})

test('behavior: --statesync shows one more node that joins by state sync, and the next start continues it', async () => {
  const folder = temporaryFolder()
  const first = await startDevnet(folder, '--validators', '2', '--statesync')
  await first.saw(/node2 +state sync: restoring the snapshot of height \d+: \d of 1 chunk, from \d peer/)
  const line = await first.saw(/node2 +has joined at height [1-9]\d*: http/)
  const url = /http\S+/.exec(line)?.[0] ?? ''
  // The earliest height is 0 until the node has stored the first block that follows the snapshot.
  const earliest = async (): Promise<number> => {
    const { result } = (await (await fetch(`${url}/status`)).json()) as {
      result: { sync_info: { earliest_block_height: string } }
    }
    return Number(result.sync_info.earliest_block_height)
  }
  await expect.poll(earliest, { timeout: 20_000 }).toBeGreaterThan(1)
  expect(await first.stop('SIGINT')).toBe(0)
  // The node that joins closes its connections between state sync and its start. This is no error.
  expect(first.output()).not.toContain('Stopping peer for error')

  const again = await startDevnet(folder, '--validators', '2', '--statesync')
  await again.saw(/node2 +has joined at height [1-9]\d*: http/)
  expect(again.output()).not.toContain('state sync: restoring')
  expect(await again.stop('SIGINT')).toBe(0)

  const alone = await run(HALLEY, ['devnet', '--statesync'])
  expect(alone).toMatchObject({ code: 1, stderr: expect.stringMatching(/at least two validators.* \[CLI_USAGE\]\n$/) })
}, 120_000)

test('error: --ephemeral is refused with a given home, which stays unchanged', async () => {
  const home = join(temporaryFolder(), 'mine')
  const finished = await run(HALLEY, ['devnet', '--ephemeral', '--home', home])
  expect(finished).toMatchObject({ code: 1, stderr: expect.stringMatching(/exclude each other.* \[CLI_USAGE\]\n$/) })
  expect(existsSync(home)).toBe(false)
})

test('error: refuses an invalid number of validators', async () => {
  for (const wrong of ['0', '-1', 'four', '51']) {
    const finished = await run(HALLEY, ['devnet', '--validators', wrong])
    expect(finished.code).toBe(1)
    expect(finished.stderr).toContain('for "--validators" flag: a whole number from 1 to 50 is expected')
  }
})

test.each(['socket', 'grpc'] as const)(
  'behavior: a missing application (%s) is reported repeatedly, and the chain begins when it connects',
  async (kind) => {
    const folder = temporaryFolder()
    const address = `unix://${join(folder, 'app.sock')}`
    const args = ['devnet', '--ephemeral', '--rpc.laddr=tcp://127.0.0.1:0', `--proxy_app=${address}`, `--abci=${kind}`]
    const devnet = launch(HALLEY, args, { TMPDIR: folder })
    const times = (): number =>
      devnet.output().split(`Cannot connect to the application, trying again (${address}): `).length - 1
    await expect.poll(times, { timeout: 20_000 }).toBeGreaterThan(1)
    expect(devnet.output()).toMatch(/ENOENT .*app\.sock; check that the application runs/)
    const server = createAbciServer({ address, kind }, { app: {}, logger: noopLogger })
    await server.start()
    onTestFinished(() => server.stop())
    await devnet.saw('broadcast_tx_commit')
    expect(await devnet.stop('SIGINT')).toBe(0)
  },
)

test.each(['socket', 'grpc'] as const)(
  'behavior: a program that accepts connections and does not answer (%s) is reported repeatedly',
  async (kind) => {
    const folder = temporaryFolder()
    const path = join(folder, 'app.sock')
    const accepted = new Set<Socket>()
    const silent = createServer((socket) => {
      accepted.add(socket)
      socket.on('error', () => undefined).resume()
    })
    await new Promise<void>((resolve) => silent.listen(path, resolve))
    onTestFinished(() => {
      for (const socket of accepted) socket.destroy()
      silent.close()
    })
    const args = ['--rpc.laddr=tcp://127.0.0.1:0', `--proxy_app=unix://${path}`, `--abci=${kind}`]
    const devnet = launch(HALLEY, ['devnet', '--ephemeral', ...args], { TMPDIR: folder })
    const times = (): number =>
      devnet.output().split(`The application has not answered yet (unix://${path}): check that`).length - 1
    await expect.poll(times, { timeout: 30_000 }).toBeGreaterThan(1)
    expect(await devnet.stop('SIGINT')).toBe(0)
  },
)

test('behavior: --log writes blocks and transactions, --app-state begins with a state, --reset begins again', async () => {
  const folder = temporaryFolder()
  const address = `unix://${join(folder, 'app.sock')}`
  const states: string[] = []
  const app = {
    initChain: ({ appStateBytes }: { readonly appStateBytes: Uint8Array }) => {
      states.push(new TextDecoder().decode(appStateBytes))
      return {}
    },
    finalizeBlock: ({ txs }: { readonly txs: readonly Uint8Array[] }) => ({
      txResults: txs.map((tx) => (tx.length === 3 ? {} : { code: 7, log: 'too long' })),
    }),
  }
  const server = createAbciServer({ address, kind: 'socket' }, { app, logger: noopLogger })
  await server.start()
  onTestFinished(() => server.stop())
  const flags = [`--proxy_app=${address}`, '--log']
  const first = await startDevnet(folder, ...flags, '--app-state', '{"n":12345678901234567890}')
  for (const tx of ['a=1', 'name=satoshi']) await first.ask(`/broadcast_tx_commit?tx="${tx}"`)
  await first.saw(/tx [\dA-F]{64} ok "a=1"$/)
  await first.saw(/tx [\dA-F]{64} failed with code 7 \("too long"\) "name=satoshi"$/)
  await first.saw(/^block \d+: 1 transaction$/)
  const { node_info: before } = (await first.ask('/status')) as { node_info: { network: string } }
  expect(await first.stop('SIGINT')).toBe(0)
  expect(states).toEqual(['{"n":12345678901234567890}'])

  const home = join(folder, '.halley', 'devnet')
  const late = await run(HALLEY, ['devnet', '--home', home, '--app-state', '{}'])
  expect(late).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/began with another state: add --reset to begin again, or .* \[CLI_USAGE\]\n$/),
  })
  const repeated = await startDevnet(folder, ...flags, '--app-state', '{ "n": 12345678901234567890 }')
  const { node_info: same } = (await repeated.ask('/status')) as { node_info: { network: string } }
  expect(same.network).toBe(before.network)
  expect(await repeated.stop('SIGINT')).toBe(0)
  expect(new Set(states).size).toBe(1)
  writeFileSync(join(folder, 'state.json'), '{"n":2}')
  const second = await startDevnet(folder, ...flags, '--reset', '--app-state', 'state.json')
  expect(states.at(-1)).toBe('{"n":2}')
  const { node_info: after } = (await second.ask('/status')) as { node_info: { network: string } }
  expect(after.network).not.toBe(before.network)
  expect(await second.stop('SIGINT')).toBe(0)
})

test('behavior: a devnet serves the explorer in a home whose config.toml does not, unless a flag says so', async () => {
  const folder = temporaryFolder()
  const home = join(folder, 'mine')
  await run(HALLEY, ['init', '--home', home])
  const flags = ['--home', home, '--proxy_app=kvstore', '--p2p.laddr=tcp://127.0.0.1:0', '--log_level=error']
  const devnet = await startDevnet(folder, ...flags)
  expect((await fetch(`${devnet.url}/explorer/`)).status).toBe(200)
  expect(devnet.output()).toContain(`page   ${devnet.url}/explorer/`)
  expect(await devnet.stop('SIGINT')).toBe(0)
  const without = await startDevnet(folder, ...flags, '--rpc.explorer=false')
  expect((await fetch(`${without.url}/explorer/`)).status).toBe(404)
  expect(await without.stop('SIGINT')).toBe(0)
})

test('error: refuses --reset of a home that devnet did not make, and a state that is not JSON', async () => {
  const home = join(temporaryFolder(), 'mine')
  await run(HALLEY, ['init', '--home', home])
  // The homes of `testnet` have the monikers node0, node1 and so on, like the homes of a devnet of several validators.
  const network = join(temporaryFolder(), 'network')
  await run(HALLEY, ['testnet', '--v', '1', '--o', network])
  for (const args of [[home, '--moniker', 'devnet'], [join(network, 'node0')], [home]]) {
    const path = join(args[0] ?? '', 'config/genesis.json')
    const genesis = readFileSync(path, 'utf8')
    const reset = await run(HALLEY, ['devnet', '--reset', '--home', ...args])
    const sign = 'is not such a home (its config.toml has p2p.laddr "tcp://0.0.0.0:26656")'
    expect(reset).toMatchObject({ code: 1, stderr: expect.stringContaining(sign) })
    // Without --home, the command would remove the data of the default home.
    expect(reset.stderr).toContain(`run halley unsafe-reset-all --home ${args[0]} [CLI_USAGE]`)
    expect(readFileSync(path, 'utf8')).toBe(genesis)
  }
  const missing = await run(HALLEY, ['devnet', '--ephemeral', '--app-state', './no-state.json'])
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /--app-state: there is no file \/.*\/no-state\.json: give the path .* \[CLI_USAGE\]\n$/,
    ),
  })
  const state = await run(HALLEY, ['devnet', '--ephemeral', '--app-state', '{alice}'])
  expect(state).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is neither JSON nor a file: .* \[CLI_USAGE\]\n$/),
  })
})

test('error: refuses --reset of a home that uses a file outside of the home', async () => {
  const folder = temporaryFolder()
  const home = join(folder, 'mine')
  const first = await startDevnet(folder, '--home', home)
  expect(await first.stop('SIGINT')).toBe(0)
  const genesis = join(folder, 'shared-genesis.json')
  copyFileSync(join(home, 'config/genesis.json'), genesis)
  const config = join(home, 'config/config.toml')
  const text = readFileSync(config, 'utf8')
  for (const [key, path] of [
    ['genesis_file', genesis],
    ['addr_book_file', '../addrbook.json'],
    ['priv_validator_state_file', join(folder, 'state.json')],
  ] as const) {
    writeFileSync(config, text.replace(new RegExp(`^${key} = .*$`, 'm'), `${key} = ${JSON.stringify(path)}`))
    const reset = await run(HALLEY, ['devnet', '--reset', '--home', home])
    expect(reset).toMatchObject({ code: 1, stderr: expect.stringContaining(`is not such a home (`) })
    expect(reset.stderr).toContain(key)
  }
  expect(existsSync(genesis)).toBe(true)
  expect(existsSync(join(home, 'data/blockstore.db'))).toBe(true)
})

test('error: --reset of a network changes no home if devnet did not make one of its homes', async () => {
  const network = join(temporaryFolder(), 'network')
  await run(HALLEY, ['testnet', '--v', '2', '--o', network])
  const config = join(network, 'node0/config/config.toml')
  // Only the first home looks like a home that `devnet` made. The second home does not.
  writeFileSync(config, readFileSync(config, 'utf8').replace('0.0.0.0:26656', '127.0.0.1:0'))
  const reset = await run(HALLEY, ['devnet', '--validators', '2', '--reset', '--home', network])
  expect(reset).toMatchObject({ code: 1, stderr: expect.stringContaining('node1 is not such a home') })
  expect(existsSync(join(network, 'node0/config/genesis.json'))).toBe(true)
})

test('behavior: a devnet prints a warning if its key-value store has the rules of an older home', async () => {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  const address = `tcp://127.0.0.1:${await freePort()}`
  const kvstore = launch(KVSTORE, ['--address', address, '--home', home, '--rules', 'document'])
  const first = await startDevnet(folder, '--home', home, '--proxy_app', address)
  await first.ask('/broadcast_tx_commit?tx="a=b=c"')
  expect(await first.stop('SIGINT')).toBe(0)
  await kvstore.stop()
  const second = await startDevnet(folder, '--home', home, '--proxy_app', 'persistent_kvstore')
  expect(second.output()).toMatch(/rules "document"/)
})
