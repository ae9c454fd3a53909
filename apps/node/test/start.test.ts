import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@org/golden'
import { expect, onTestFinished, test } from 'vitest'
import { FAST, makeHome, startNode, whenStarted } from './support/node.ts'
import { HALLEY, launch, run, temporaryFolder } from './support/process.ts'

interface Committed {
  readonly hash: string
  readonly height: string
  readonly tx_result: { readonly code: number }
}

interface Answer {
  readonly response: { readonly log: string; readonly value: string | null }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

test('default: init, start, a transaction and a query work, and after a restart the chain continues', async () => {
  const home = await makeHome(temporaryFolder())
  const node = await startNode(home, '--proxy_app=persistent_kvstore', ...FAST)
  const sent = await node.ask<Committed>('/broadcast_tx_commit?tx="name=satoshi"')
  expect(sent.tx_result.code).toBe(0)
  const answer = await node.ask<Answer>('/abci_query?data="name"')
  expect(answer.response).toMatchObject({ log: 'exists', value: base64('satoshi') })
  expect(await node.ask(`/tx?hash=0x${sent.hash}`)).toMatchObject({ height: sent.height, tx: base64('name=satoshi') })
  expect(await node.stop()).toBe(0)

  const again = await startNode(home, '--proxy_app=persistent_kvstore', ...FAST)
  await again.reach(Number(sent.height) + 2)
  expect((await again.ask<Answer>('/abci_query?data="name"')).response.value).toBe(base64('satoshi'))
  const found = await again.ask<{ total_count: string }>(`/tx_search?query="app.key='name'"`)
  expect(found.total_count).toBe('1')
  expect(await again.stop('SIGINT')).toBe(0)
})

test('behavior: an application in memory receives every block again', async () => {
  const home = await makeHome(temporaryFolder())
  const node = await startNode(home, '--proxy_app=kvstore', ...FAST)
  await node.ask('/broadcast_tx_commit?tx="a=1"')
  await node.stop()
  const again = await startNode(home, '--proxy_app=kvstore', ...FAST)
  expect((await again.ask<Answer>('/abci_query?data="a"')).response.value).toBe(base64('1'))
  await again.stop()
})

test('behavior: a node that is killed under load loses nothing that it reported as committed', async () => {
  const home = await makeHome(temporaryFolder())
  const printed: { key: string; hash: string }[] = []
  for (let round = 0; round < 3; round++) {
    const node = await startNode(home, '--proxy_app=persistent_kvstore', ...FAST, '--consensus.timeout_commit=5ms')
    const send = async (sender: number): Promise<void> => {
      for (let count = 0; ; count++) {
        const key = `k${round}.${sender}.${count}`
        const { hash } = await node.ask<Committed>(`/broadcast_tx_commit?tx="${key}=v"`)
        printed.push({ key, hash })
      }
    }
    const senders = Promise.allSettled([0, 1, 2, 3].map(send))
    await node.reach(10 * (round + 1))
    expect(await node.stop('SIGKILL')).toBe(-1)
    await senders
  }
  expect(printed.length).toBeGreaterThan(10)
  const node = await startNode(home, '--proxy_app=persistent_kvstore', ...FAST)
  for (const { key, hash } of printed) {
    expect((await node.ask<Answer>(`/abci_query?data="${key}"`)).response.value, key).toBe(base64('v'))
    expect(await node.ask(`/tx?hash=0x${hash}`), key).toMatchObject({ hash })
  }
  await node.stop()
})

test('default: the log begins with program, home and node, and ends with a last line', async () => {
  const home = await makeHome(temporaryFolder())
  const node = await startNode(home, '--proxy_app=kvstore', ...FAST)
  const id = (await run(HALLEY, ['show-node-id', '--home', home])).stdout.trim()
  const { validator_info: own } = await node.ask<{ validator_info: { address: string } }>('/status')
  const lines = node.output().split('\n')
  expect(lines[0]).toMatch(/Version info +module=main halley=\d\S* tendermint_version=0\.38\.25 .*p2p=8 /)
  expect(lines[0]).toContain(`home=${home}`)
  expect(node.output()).toMatch(
    new RegExp(`This node is a validator +module=consensus addr=${own.address} pubKey=PubKeyEd`),
  )
  expect(node.output()).toMatch(new RegExp(`P2P Node ID +module=p2p ID=${id} file=\\S+node_key\\.json`))
  expect(node.output()).toMatch(new RegExp(`Started node .* rpc=${node.url} p2p=${id}@127\\.0\\.0\\.1:\\d+`))
  await node.reach(2)
  expect(await node.stop()).toBe(0)
  expect(node.output().trimEnd().split('\n').at(-1)).toContain('Stopped; all data is written and all files are closed')

  const again = await startNode(home, '--proxy_app=kvstore', ...FAST)
  expect(again.output()).toMatch(/Applying block +module=consensus height=\d+ to=\d+/)
  expect(await again.stop('SIGKILL')).toBe(-1)
  expect(again.output()).not.toContain('Stopped; all data')
})

test('behavior: the start warns about a validator key that other users may read, with the command that corrects it', async () => {
  const home = await makeHome(temporaryFolder())
  const key = join(home, 'config/priv_validator_key.json')
  const started = async (mode: number): Promise<string> => {
    chmodSync(key, mode)
    const node = await startNode(home, '--proxy_app=persistent_kvstore', ...FAST)
    expect(await node.stop()).toBe(0)
    return node.output()
  }
  expect(await started(0o600)).not.toContain('key of the validator')
  const open = await started(0o640)
  expect(open).toContain('Other users have access to the file of the validator key')
  expect(open).toContain(`chmod 600 ${key}`)
})

test.each(['rpc.laddr', 'p2p.laddr', 'rpc.grpc_laddr'])(
  'error: a busy port of %s is reported before the node waits for its application',
  async (key) => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const address = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
    const folder = temporaryFolder()
    const home = await makeHome(folder)
    const app = `--proxy_app=unix://${join(folder, 'none.sock')}`
    const refused = await run(HALLEY, ['start', '--home', home, app, '--rpc.laddr=', `--${key}=${address}`])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(
      new RegExp(`another program listens on ${address}: .*--${key}=tcp://.* \\[CLI_ADDRESS_IN_USE\\]\\n$`),
    )
    expect(refused.stdout).not.toContain('Cannot connect to the application')
  },
)

test('behavior: while a node runs, a second start and every command that would change the home are refused', async () => {
  const home = await makeHome(temporaryFolder())
  const node = await startNode(home, '--proxy_app=kvstore', ...FAST)
  for (const command of ['start', 'inspect', 'rollback', 'reindex-event', 'reset-state', 'unsafe-reset-all']) {
    const { code, stderr } = await run(HALLEY, [command, '--home', home])
    expect(code, command).toBe(1)
    expect(stderr).toMatch(
      /^ERROR: (failed to rollback state: )?\S+\/data is in use by process \d+ \(halley\): stop that node first.* \[HOME_LOCKED\]\n$/,
    )
  }
  await node.reach(3)
  expect(await node.stop()).toBe(0)
  expect((await run(HALLEY, ['rollback', '--home', home])).stdout).toMatch(
    /^Rolled back state to height \d+ and hash [\dA-F]+\n$/,
  )
})

test('behavior: inspect serves the blocks of a stopped node', async () => {
  const home = await makeHome(temporaryFolder())
  const node = await startNode(home, '--proxy_app=kvstore', ...FAST)
  const { hash, height } = await node.ask<Committed>('/broadcast_tx_commit?tx="a=1"')
  const block = await node.body(`/block?height=${height}`)
  await node.stop()
  const inspector = launch(HALLEY, ['inspect', '--home', home, '--rpc.laddr=tcp://127.0.0.1:0'])
  await inspector.saw('RPC server listens')
  const url = `http://${/address=tcp:\/\/(\S+)/.exec(inspector.output())?.[1]}`
  expect(await (await fetch(`${url}/block?height=${height}`)).text()).toBe(block)
  expect((await fetch(`${url}/tx?hash=0x${hash}`)).status).toBe(200)
  expect(inspector.output()).not.toContain('not in the index')
  expect((await fetch(`${url}/status`)).status).toBe(404)
  expect((await fetch(`${url}/broadcast_tx_sync?tx="a=2"`)).status).toBe(404)
  expect(await inspector.stop()).toBe(0)
})

test('behavior: reindex-event makes a lost index again', async () => {
  const home = await makeHome(temporaryFolder())
  const node = await startNode(home, '--proxy_app=kvstore', ...FAST, '--tx_index.indexer=null')
  const { height } = await node.ask<Committed>('/broadcast_tx_commit?tx="a=1"')
  await node.stop()
  const inspector = launch(HALLEY, ['inspect', '--home', home, '--rpc.laddr=tcp://127.0.0.1:0'])
  await inspector.saw('The last block is not indexed')
  await inspector.saw('RPC server listens')
  expect(await inspector.stop()).toBe(0)
  const { code, stdout } = await run(HALLEY, ['reindex-event', '--home', home, '--end-height', height])
  expect(code).toBe(0)
  expect(stdout).toBe(
    'set the start block height to the base height of the blockstore 1 \nstart re-indexing events:\nevent re-index finished\n',
  )
  const again = await startNode(home, '--proxy_app=kvstore', ...FAST)
  const found = await again.ask<{ total_count: string }>(`/tx_search?query="app.key='a'"`)
  expect(found.total_count).toBe('1')
  await again.stop()
})

test('behavior: metrics are served at the configured address', async () => {
  const home = await makeHome(temporaryFolder())
  const port = await freePort()
  const node = await startNode(
    home,
    '--proxy_app=kvstore',
    ...FAST,
    '--instrumentation.prometheus',
    `--instrumentation.prometheus_listen_addr=127.0.0.1:${port}`,
  )
  await node.reach(2)
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(text).toMatch(/^cometbft_consensus_height\{chain_id="test-chain-\w{6}"\} [2-9]/m)
  expect(await node.stop()).toBe(0)
})

test.each([
  ['run', '--proxy-app=noop', []],
  ['node', '--proxy_app=kvstore', [/other rules for transactions than the Go node's.* other=kvstore-v0\.38$/]],
  ['start', '--proxy_app=kvstore-v0.38', []],
] as const)(
  'behavior: a start with %s %s warns once about each setting that is not built, and about other rules of Go nodes',
  async (name, app, more) => {
    const home = await makeHome(temporaryFolder())
    const flags = ['--rpc.laddr=tcp://127.0.0.1:0', app, ...FAST, '--rpc.max-subscription-clients=0']
    const unbuilt = ['--rpc.pprof_laddr=127.0.0.1:1', '--mempool.wal_dir=log']
    const peers = `--p2p.persistent_peers=${'ab'.repeat(20)}@127.0.0.1:1`
    const node = await whenStarted(launch(HALLEY, [name, '--home', home, ...flags, ...unbuilt, peers]))
    // No client may subscribe to this node. `broadcast_tx_commit` succeeds anyway, because it waits for the transaction
    // without a subscription.
    expect(await node.ask('/broadcast_tx_commit?tx="a=1"')).toMatchObject({ tx_result: { code: 0 } })
    expect(await node.stop()).toBe(0)
    const warnings = node.output().match(/^W\[.*$/gm) ?? []
    const expected = [/not built.*pprof/, /not built.*mempool/, ...more]
    expect(warnings).toEqual(expected.map((line) => expect.stringMatching(line)))
  },
)

test.each([
  [['--proxy_app=nothing'], 'CLI_USAGE'],
  [['--db_backend=rocksdb'], 'CLI_NOT_BUILT'],
  [['--genesis_hash=00'], 'CLI_GENESIS_HASH'],
  [['--rpc.laddr=127.0.0.1:1'], 'RPC_CONFIG'],
])('error: a start with %j is refused in one coded line', async (args, code) => {
  const home = await makeHome(temporaryFolder())
  const finished = await run(HALLEY, [
    'start',
    '--home',
    home,
    '--proxy_app=kvstore',
    '--rpc.laddr=tcp://127.0.0.1:0',
    ...args,
  ])
  expect(finished.code).toBe(1)
  expect(finished.stderr).toMatch(new RegExp(`^ERROR: .* \\[${code}\\]\\n$`))
})

test('error: a wrong address of a peer is refused with the form of an address', async () => {
  const home = await makeHome(temporaryFolder())
  const finished = await run(HALLEY, ['start', '--home', home, '--proxy_app=noop', '--p2p.persistent_peers=id@host'])
  expect(finished).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/p2p\.persistent_peers: invalid address.*: write ID@host:port; .* \[CLI_USAGE\]\n$/),
  })
})

test('error: a port in use is reported with advice', async () => {
  const folder = temporaryFolder()
  const home = await makeHome(folder)
  const node = await startNode(home, '--proxy_app=kvstore', ...FAST)
  const other = join(folder, 'other')
  await run(HALLEY, ['init', '--home', other])
  const address = node.url.replace('http', 'tcp')
  const finished = await run(HALLEY, ['start', '--home', other, '--proxy_app=kvstore', `--rpc.laddr=${address}`])
  expect(finished.code).toBe(1)
  expect(finished.stderr).toMatch(
    /^ERROR: another program listens on tcp:.* choose another address.*--rpc\.laddr=.* \[CLI_ADDRESS_IN_USE\]\n$/,
  )
  await node.stop()
})

test('behavior: a node continues when its log has no reader any more, and stops on a signal', async () => {
  const home = await makeHome(temporaryFolder())
  const node = await startNode(home, '--proxy_app=kvstore', ...FAST)
  node.child.stdout?.destroy()
  node.child.stderr?.destroy()
  await node.reach(5)
  expect(await node.stop()).toBe(0)
})
