import { once } from 'node:events'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '@org/golden'
import { expect, onTestFinished, test } from 'vitest'
import { FAST, makeHome, type RunningNode, startNode } from './support/node.ts'
import { HALLEY, run, temporaryFolder } from './support/process.ts'

interface Block {
  readonly block_id: { readonly hash: string }
}

const trustRoot = (...args: string[]) => run(HALLEY, ['snapshot', 'trust-root', ...args])

async function aNode(height: number, ...args: string[]): Promise<RunningNode> {
  const node = await startNode(await makeHome(temporaryFolder()), '--proxy_app=kvstore', ...FAST, ...args)
  onTestFinished(async () => void (await node.stop()))
  await node.reach(height)
  return node
}

test('default: the command prints the lines of [statesync] that a new node needs', async () => {
  const { url, ask } = await aNode(4)
  const { block_id } = await ask<Block>('/block?height=3')
  const lines = ['trust_height = 3', `trust_hash = "${block_id.hash}"`, 'trust_period = "32h0m0s"']
  const one = await trustRoot('--node', url, '--height', '3')
  expect(one.stdout.trimEnd().split('\n').slice(1)).toEqual(lines)
  const two = await trustRoot('--node', url, '--node', url.replace('http', 'tcp'), '--height', '3')
  expect(two.stdout.trimEnd().split('\n').slice(1)).toEqual([`rpc_servers = "${url},${url}"`, ...lines])
  const usual = await trustRoot('--node', url.replace('http://', ''))
  expect(usual.stdout).toContain('trust_height = 1\n')
})

test('error: the error of each refused call says what to do', async () => {
  const [node, other] = [await aNode(2), await aNode(2)]
  // The genesis names a validator that does not run, so this chain has no block.
  const [home, absent] = [await makeHome(temporaryFolder()), await makeHome(temporaryFolder())]
  copyFileSync(`${absent}/config/genesis.json`, `${home}/config/genesis.json`)
  const empty = await startNode(home, '--proxy_app=kvstore', ...FAST)
  onTestFinished(async () => void (await empty.stop()))
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await trustRoot(...args)
    expect(code).toBe(1)
    return stderr
  }
  expect(await refused()).toContain('--node http://host:26657 [CLI_USAGE]')
  expect(await refused('--node', 'http://')).toContain('is not an address: write http://host:26657 [CLI_USAGE]')
  expect(await refused('--node', node.url, '--height', '-1')).toContain('must be a whole number from 1')
  expect(await refused('--node', node.url, '--height', '999999')).toMatch(
    /it has the blocks from 1 to \d+.*\[CLI_NO_SUCH_HEIGHT\]/,
  )
  expect(await refused('--node', `127.0.0.1:${await freePort()}`)).toMatch(
    /check that it runs.*\[CLI_NODE_UNREACHABLE\]/,
  )
  expect(await refused('--node', node.url, '--node', other.url, '--height', '1')).toMatch(
    /the nodes do not agree about height 1: .*trust neither \[CLI_NODES_DISAGREE\]/,
  )
  expect(await refused('--node', empty.url)).toMatch(/has no block yet: try again later.*\[CLI_NODE_BEHIND\]/)
})

const status = (network: string): object => {
  const zeros = { latest_block_hash: '', latest_app_hash: '', earliest_block_hash: '', earliest_app_hash: '' }
  const time = '2026-01-01T00:00:00Z'
  const heights = { latest_block_height: '5', earliest_block_height: '1' }
  const times = { latest_block_time: time, earliest_block_time: time }
  const other = { tx_index: 'on', rpc_address: '' }
  const versions = { p2p: '8', block: '11', app: '1' }
  const texts = { id: '', listen_addr: '', version: '', channels: '', moniker: '' }
  const key = { type: 'tendermint/PubKeyEd25519', value: Buffer.alloc(32).toString('base64') }
  return {
    node_info: { protocol_version: versions, ...texts, network, other },
    sync_info: { ...zeros, ...heights, ...times, catching_up: false },
    validator_info: { address: '', pub_key: key, voting_power: '1' },
  }
}

const SHORT_COMMIT = {
  ...{ height: '1', round: 0, signatures: [] },
  block_id: { hash: 'AA', parts: { total: 0, hash: '' } },
}

/** Starts a node that answers each call with one of these answers, by method. */
async function startLiar(answers: Readonly<Record<string, object>>): Promise<string> {
  const server = createServer(async (request, response) => {
    const { id, method } = JSON.parse(await text(request)) as { readonly id: number; readonly method: string }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answers[method] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  [
    'a chain id with further settings',
    { status: { result: status('x\nrpc_servers = "http://evil"') } },
    /the id of its chain is not a chain id; ask another node \[CLI_WRONG_ANSWER\]/,
  ],
  [
    'a hash that is too short',
    {
      status: { result: status('chain') },
      commit: { result: { signed_header: { header: null, commit: SHORT_COMMIT }, canonical: true } },
    },
    /it has no hash of the block at height 1; ask another node \[CLI_WRONG_ANSWER\]/,
  ],
  [
    'control characters and a long text in an error',
    { status: { error: { code: 1, message: `\u001b[2J\u009b31m\ntrust_height = 1\n${'y'.repeat(100_000)}` } } },
    /did not answer: \\u001b\[2J\\u009b31m\\u000atrust_height = 1\\u000ay{900,1000}\.\.\.; check that it runs.*\[CLI_NODE_UNREACHABLE\]/,
  ],
  [
    'an answer with very many values',
    { status: { result: Array.from({ length: 1_000_001 }, () => 0) } },
    /the answer has more than 1000000 values; .*\[CLI_NODE_UNREACHABLE\]/,
  ],
])('error: a node that lies cannot mislead the operator: %s', async (_name, answers, error) => {
  const { code, stdout, stderr } = await trustRoot('--node', await startLiar(answers))
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(error)
})

test('behavior: --write changes the lines in config.toml, and uses the nodes that config.toml names', async () => {
  const node = await aNode(4)
  const home = await makeHome(temporaryFolder())
  const file = join(home, 'config/config.toml')
  const before = readFileSync(file, 'utf8').replace('rpc_servers = ""', `rpc_servers = "${node.url},${node.url}"`)
  writeFileSync(file, before)
  const { code, stdout } = await trustRoot('--write', '--home', home, '--height', '2')
  expect([code, stdout]).toEqual([0, expect.stringContaining(`# Written to ${file}, with enable = true.`)])
  const hash = (await node.ask<Block>('/block?height=2')).block_id.hash
  const after = readFileSync(file, 'utf8')
  expect(after).toContain('# Halley also uses these servers after the start from a snapshot.')
  for (const line of ['trust_height = 2', `trust_hash = "${hash}"`, 'trust_period = "32h0m0s"', 'enable = true'])
    expect(after.split('\n')).toContain(line)
  const linesOfComment = 7
  expect(after.split('\n')).toHaveLength(before.split('\n').length + linesOfComment)
  expect((await trustRoot('--write', '--home', `${home}/none`)).stderr).toMatch(
    /does not exist.*halley init.*CLI_USAGE/,
  )
  const other = await makeHome(temporaryFolder())
  expect((await trustRoot('--write', '--home', other)).stderr).toContain('--node http://host:26657 [CLI_USAGE]')
})

test('behavior: the command snapshot alone shows its help', async () => {
  const { code, stdout } = await run(HALLEY, ['snapshot'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('trust-root')])
  expect((await run(HALLEY, ['snapshot', 'nothing'])).stderr).toContain('unknown command "nothing" for "snapshot"')
})
