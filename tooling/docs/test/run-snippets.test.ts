import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, launch, makeTemporaryFolder, type Running, type TemporaryFolder } from '@org/golden'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RUN_SNIPPETS, runText, snippet } from './run-snippets.ts'

const root = new URL('../../../', import.meta.url).pathname
const halley = join(root, 'apps/node/bin/halley')
const snippets = join(root, 'tooling/docs/snippets')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

/** The command of a snippet without pnpm, which a test need not install. */
const command = (name: string): string =>
  snippet(name).replace(/^npx pnpm@\S+ (\w+)/gm, (_all, script: string) => scripts[script] ?? `no script ${script}`)

const outputOf = (name: string): RegExp => RUN_SNIPPETS[name]?.output ?? /^no such snippet$/

/** A text with free ports in place of the ports that the pages name. */
type Replace = (text: string) => string

async function freePorts(...ports: readonly number[]): Promise<Replace> {
  const free = await Promise.all(ports.map(async (port) => [String(port), String(await freePort())] as const))
  return (text) => free.reduce((changed, [port, other]) => changed.replaceAll(port, other), text)
}

function start(name: string, flags: string, cwd: string): Running {
  const path = `${join(root, 'apps/node/bin')}:${process.env.PATH ?? ''}`
  return launch('sh', ['-euc', `exec ${command(name)} ${flags}`], { cwd, env: { PATH: path } })
}

let folder: TemporaryFolder
beforeAll(async () => {
  folder = await makeTemporaryFolder('halley-snippets-')
})
afterAll(() => folder[Symbol.asyncDispose]())

const run = async (name: string, text = snippet(name), cwd = folder.path): Promise<void> => {
  const { code, output } = await runText(name, text, name.endsWith('.sh') ? cwd : snippets)
  expect(output).toMatch(outputOf(name))
  expect(code).toBe(0)
}

const CHAINS = [
  { chain: 'devnet', name: 'start.sh', ready: 'abci_query', flags: '--home ./devnet --p2p.laddr=tcp://127.0.0.1:0' },
  { chain: 'control', name: 'control.sh', ready: 'dev_snapshot', flags: '' },
  { chain: 'app', name: 'app-devnet.sh', ready: 'RPC', flags: '--p2p.laddr=tcp://127.0.0.1:0' },
]

describe.each(CHAINS)('snippets of the chain of $name', ({ chain, name, ready, flags }) => {
  let devnet: Running
  let replace: Replace
  beforeAll(async () => {
    replace = await freePorts(26657)
    // The application of the snippet is in its folder; the home is not.
    const home = chain === 'app' ? `--home ${join(folder.path, 'app')}` : ''
    const rpc = replace('--rpc.laddr=tcp://127.0.0.1:26657')
    devnet = start(name, `${flags} ${home} ${rpc}`, chain === 'app' ? snippets : folder.path)
    await devnet.saw(ready)
  })
  afterAll(() => devnet?.stop('SIGINT'))

  test(`behavior: ${name}`, () => expect(devnet.output()).toMatch(outputOf(name)))

  const others = Object.keys(RUN_SNIPPETS).filter((other) => RUN_SNIPPETS[other]?.chain === chain && other !== name)
  test.each(others)('behavior: %s', (other) => run(other, replace(snippet(other))))
})

test('behavior: the life of a node, and of a second one that joins it', async () => {
  const replace = await freePorts(26656, 26657, 26660, 8888)
  const other = await freePorts(26656, 26657)
  const listen = '--rpc.laddr=tcp://127.0.0.1:26657 --p2p.laddr=tcp://127.0.0.1:26656'
  await run('node-init.sh')
  const metrics = '--instrumentation.prometheus_listen_addr=127.0.0.1:26660 --p2p.addr_book_strict=false'
  await using node = start('node-start.sh', replace(`${listen} ${metrics}`), folder.path)
  await node.saw(outputOf('node-start.sh'))
  await expect
    .poll(() => runText('node-watch.sh', replace(snippet('node-watch.sh')), folder.path))
    .toMatchObject({
      code: 0,
      output: expect.stringMatching(outputOf('node-watch.sh')),
    })
  await run('network-id.sh')
  const { output: id } = await runText('network-id.sh', snippet('network-id.sh'), folder.path)
  await run('network-join.sh')
  const peer = replace(snippet('network-start.sh').replace('ID@', `${id.trim()}@`)).replace(/^halley start/, '')
  await using second = launch(
    'sh',
    ['-euc', `exec ${halley} start ${peer} ${other(listen)} --p2p.addr_book_strict=false`],
    {
      cwd: folder.path,
    },
  )
  await second.saw(outputOf('network-start.sh'))
  expect(await second.stop('SIGINT')).toBe(0)

  const url = replace('http://127.0.0.1:26657')
  const block = (await (await fetch(`${url}/block?height=1`)).json()) as { result: { block_id: { hash: string } } }
  const status = (await (await fetch(`${url}/status`)).json()) as { result: { node_info: { network: string } } }
  const light = command('light-proxy.sh')
    .replace('CHAIN', status.result.node_info.network)
    .replace('HASH', block.result.block_id.hash)
    .replace('26667', '26657')
  const flags = '--laddr tcp://127.0.0.1:8888 --home-dir ./light'
  const started = replace(`${light} ${flags}`).replace(/^halley/, halley)
  await using proxy = launch('sh', ['-euc', `exec ${started}`], { cwd: folder.path })
  await proxy.saw(outputOf('light-proxy.sh'))
  await expect.poll(async () => (await fetch(`${replace('http://127.0.0.1:8888')}/block?height=2`)).status).toBe(200)
  expect(await proxy.stop('SIGINT')).toBe(0)
  expect(await node.stop('SIGINT')).toBe(0)

  await run('node-repair.sh')
  await using inspect = start('node-inspect.sh', replace('--rpc.laddr=tcp://127.0.0.1:26657'), folder.path)
  await inspect.saw(outputOf('node-inspect.sh'))
  expect(await inspect.stop('SIGINT')).toBe(0)
})

test('behavior: sim.sh', () => run('sim.sh', command('sim.sh'), root))

test('behavior: network-homes.sh', () => run('network-homes.sh'))

test('behavior: statesync.sh, and trust-root.sh beside it', async () => {
  // Nodes of one process have ports that are ten apart.
  const port = await freePort()
  await using devnet = start('statesync.sh', `--ephemeral --rpc.laddr=tcp://127.0.0.1:${port}`, folder.path)
  await devnet.saw(outputOf('statesync.sh'))
  const trusted = snippet('trust-root.sh')
    .replace('26657', String(port))
    .replace('26667', String(port + 10))
  await run('trust-root.sh', trusted)
  expect(await devnet.stop('SIGINT')).toBe(0)
})

test('behavior: network-devnet.sh', async () => {
  const flags = `--ephemeral --rpc.laddr=tcp://127.0.0.1:${await freePort()}`
  await using devnet = start('network-devnet.sh', flags, folder.path)
  await devnet.saw('net_info')
  expect(devnet.output()).toMatch(outputOf('network-devnet.sh'))
  expect(await devnet.stop('SIGINT')).toBe(0)
})
