import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import { createDevnetClient } from '@org/rpc/client/devnet'
import { expect, test } from 'vitest'
import { HALLEY, launch, run, temporaryFolder } from './support/process.ts'

/** Returns the content of all files below a folder, by path. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true }).map(String)
  const files = paths.filter((path) => statSync(join(folder, path)).isFile())
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'hex')]))
}

async function startDevnet(home: string, ...args: readonly string[]) {
  const given = ['start', '--devnet', '--home', home, '--proxy_app=kvstore', '--rpc.laddr=tcp://127.0.0.1:0', ...args]
  const running = launch(HALLEY, given)
  await running.saw('dev_snapshot')
  return { ...running, url: /RPC +(\S+)/.exec(running.output())?.[1] ?? '' }
}

test('default: start --devnet runs the genesis of a home with its key, under control; the home is only read', async () => {
  const home = join(temporaryFolder(), 'home')
  await run(HALLEY, ['init', '--home', home])
  const before = contentOf(home)
  const running = await startDevnet(home)
  const transport = createHttpTransport(running.url)
  const [client, devnet] = [createRpcClient(transport), createDevnetClient(transport)]
  const genesis = JSON.parse(readFileSync(join(home, 'config/genesis.json'), 'utf8')) as Record<string, never>
  const { nodeInfo, validatorInfo } = await client.status()
  expect(nodeInfo.network).toBe(genesis.chain_id)
  const key = JSON.parse(readFileSync(join(home, 'config/priv_validator_key.json'), 'utf8')) as { address: string }
  expect(Buffer.from(validatorInfo.address).toString('hex').toUpperCase()).toBe(key.address)
  expect(await devnet.mine(5, 1000)).toBe(5)
  expect((await client.broadcastTxCommit({ tx: 'a=1' })).txResult.code).toBe(0)
  expect((await fetch(`${running.url}/explorer/`)).status).toBe(200)
  expect(await devnet.reset()).toBe(0)
  expect(await running.stop('SIGINT')).toBe(0)
  expect(contentOf(home)).toEqual(before)
})

test('default: --devnet-keys gives the keys of other validators; a start with one of four keys is refused', async () => {
  const folder = temporaryFolder()
  await run(HALLEY, ['testnet', '--v', '4', '--o', folder])
  const [own, ...others] = [0, 1, 2].map((i) => join(folder, `node${i}`))
  const files = others.map((home) => join(home, 'config/priv_validator_key.json')).join(',')
  const running = await startDevnet(own as string, '--devnet-keys', files)
  expect(await createDevnetClient(createHttpTransport(running.url)).mine(3)).toBe(3)
  expect(await running.stop('SIGINT')).toBe(0)
  const { code, stderr } = await run(HALLEY, ['start', '--devnet', '--home', own as string, '--proxy_app=kvstore'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('have 1 of the total power 4')])
  expect(stderr).toContain('DEVNET_TOO_FEW_KEYS')
})

test('error: a key that has signed, an address that other machines can reach, and flags without --devnet are refused', async () => {
  const home = join(temporaryFolder(), 'home')
  await run(HALLEY, ['init', '--home', home])
  const refusal = async (...args: readonly string[]): Promise<string> => {
    const { code, stderr } = await run(HALLEY, ['start', '--home', home, ...args])
    expect(code).toBe(1)
    return stderr
  }
  expect(await refusal('--devnet', '--rpc.laddr=tcp://0.0.0.0:0')).toContain('is open to other machines')
  expect(await refusal('--devnet', '--priv_validator_laddr=tcp://127.0.0.1:0')).toContain('remote signer')
  expect(await refusal('--devnet-keys', 'key.json')).toContain('need --devnet')
  expect(await refusal('--open')).toContain('need --devnet')
  expect(await refusal('--devnet', '--genesis_hash', 'AB')).toContain('CLI_GENESIS_HASH')
  const used = join(temporaryFolder(), 'used')
  cpSync(home, used, { recursive: true })
  const state = JSON.parse(readFileSync(join(used, 'data/priv_validator_state.json'), 'utf8')) as object
  const { writeFileSync } = await import('node:fs')
  writeFileSync(join(used, 'data/priv_validator_state.json'), JSON.stringify({ ...state, height: '7' }))
  const { code, stderr } = await run(HALLEY, ['start', '--devnet', '--home', used])
  expect([code, stderr]).toEqual([1, expect.stringContaining('has signed up to height 7')])
  expect(stderr).toContain('DEVNET_KEY_WAS_USED')
})

test('error: a node that was started without --devnet answers the control as any unknown method', async () => {
  const home = join(temporaryFolder(), 'home')
  await run(HALLEY, ['init', '--home', home])
  const running = launch(HALLEY, [
    'start',
    '--home',
    home,
    '--proxy_app=kvstore',
    '--rpc.laddr=tcp://127.0.0.1:0',
    '--p2p.laddr=tcp://127.0.0.1:0',
  ])
  const address = /RPC server listens +module=rpc-server address=tcp:\/\/(\S+)/
  await expect.poll(() => address.test(running.output()), { timeout: 30_000 }).toBe(true)
  const url = `http://${address.exec(running.output())?.[1]}`
  const post = async (method: string): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} })
    return (await fetch(url, { method: 'POST', body })).json()
  }
  const get = async (method: string): Promise<unknown> => {
    const answer = await fetch(`${url}/${method}`)
    return [answer.status, await answer.text()]
  }
  expect(await post('dev_mine')).toEqual(await post('no_such_method'))
  expect(await get('dev_mine')).toEqual(await get('no_such_method'))
  expect(await get('advance_blocks')).toEqual(await get('no_such_method'))
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object }
  expect(Object.keys(paths).filter((path) => path.startsWith('/dev_'))).toEqual([])
  expect(await running.stop('SIGINT')).toBe(0)
})
