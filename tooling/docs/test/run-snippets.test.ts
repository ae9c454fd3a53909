import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, launch, makeTemporaryFolder, type Running, type TemporaryFolder } from '@org/golden'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandIn } from './blocks/workspace.ts'
import { RUN_SNIPPETS, runText, snippet } from './run-snippets.ts'

const root = new URL('../../../', import.meta.url).pathname
const halley = join(root, 'apps/node/bin/halley')
const snippets = join(root, 'tooling/docs/snippets')

/** Returns the commands in a snippet. A command of pnpm is replaced by the script that pnpm would run. */
const command = (name: string): string => snippet(name).split('\n').map(commandIn).join('\n')

const outputOf = (name: string): RegExp => RUN_SNIPPETS[name]?.output ?? /^no such snippet$/

/** Replaces the ports in a text by free ports. The ports in the text are those that the pages show. */
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
    // The devnet runs in the folder of the snippets, because the application is there. Its home is in a temporary
    // folder.
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

test('behavior: the snippets about a node run: a start, a second node, a light proxy, a repair and an inspection', async () => {
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

/** Returns the height of the chain of a running command. */
async function heightOf(running: Running): Promise<number> {
  const url = /RPC +(\S+)/.exec(running.output())?.[1] ?? ''
  const { result } = (await (await fetch(`${url}/status`)).json()) as {
    readonly result: { readonly sync_info: { readonly latest_block_height: string } }
  }
  return Number(result.sync_info.latest_block_height)
}

/**
 * Each line of a snippet is a command that runs a chain. Runs each command until its chain is ready, makes three
 * blocks, and stops it. Resolves to the heights of the chain, one for each start.
 */
async function runLines(name: string, replace: Replace, home: string): Promise<readonly number[]> {
  const heights: number[] = []
  for (const line of snippet(name).split('\n')) {
    const text = replace(line.replace(/ +#.*$/, ''))
    // The configuration in the homes has the address of an application that does not run. This environment variable
    // makes the node use the built-in kvstore instead.
    const env = {
      HOME: home,
      HALLEY_PROXY_APP: 'kvstore',
      PATH: `${join(root, 'apps/node/bin')}:${process.env.PATH ?? ''}`,
    }
    await using running = launch('sh', ['-euc', `exec ${text} --rpc.laddr=tcp://127.0.0.1:0`], { cwd: home, env })
    await running.saw('dev_snapshot')
    expect(running.output()).toMatch(outputOf(name))
    const before = await heightOf(running)
    const url = /RPC +(\S+)/.exec(running.output())?.[1] ?? ''
    expect(await (await fetch(`${url}/dev_mine?blocks=3`)).json()).toMatchObject({
      result: { height: `${before + 3}` },
    })
    expect({ line, code: await running.stop('SIGINT') }).toEqual({ line, code: 0 })
    heights.push(before)
  }
  return heights
}

test('behavior: control-dump.sh continues the chain of the file', async () => {
  await using home = await makeTemporaryFolder('halley-snippets-')
  expect(await runLines('control-dump.sh', (text) => text, home.path)).toEqual([0, 3])
})

test('behavior: each line of control-ways.sh controls a chain', async () => {
  await using home = await makeTemporaryFolder('halley-snippets-')
  cpSync(join(snippets, 'notes.ts'), join(home.path, 'app.ts'))
  symlinkSync(join(root, 'tooling/docs/node_modules'), join(home.path, 'node_modules'))
  await run('node-init.sh', `${halley} init --home ./home`, home.path)
  await run('node-init.sh', `${halley} init --home ./.cometbft`, home.path)
  const listen = ['--proxy_app=kvstore', '--rpc.laddr=tcp://127.0.0.1:0', '--p2p.laddr=tcp://127.0.0.1:0']
  await using node = launch(halley, ['start', '--home', './.cometbft', ...listen], { cwd: home.path })
  await node.saw('height=2')
  expect(await node.stop('SIGINT')).toBe(0)
  const replace = await freePorts(26658)
  await using app = launch(join(root, 'apps/kvstore/bin/kvstore'), ['--address', replace('tcp://127.0.0.1:26658')])
  await app.saw('listening')
  const heights = await runLines('control-ways.sh', replace, home.path)
  expect(heights.slice(0, 3)).toEqual([0, 0, 0])
  expect(heights[3]).toBeGreaterThanOrEqual(2)
})

test('behavior: sim.sh', () => run('sim.sh', command('sim.sh'), root))

test('behavior: network-homes.sh', () => run('network-homes.sh'))

test('behavior: statesync.sh starts a network, and trust-root.sh trusts it', async () => {
  // The network runs two nodes in one process, and the RPC port of the second node is higher by ten.
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
