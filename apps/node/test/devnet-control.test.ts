import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import { createDevnetClient } from '@org/rpc/client/devnet'
import { bytesToHex } from '@org/types/bytes'
import { expect, test } from 'vitest'
import { HALLEY, launch, run, temporaryFolder } from './support/process.ts'

const KVSTORE = new URL('../../kvstore/bin/kvstore', import.meta.url).pathname

async function startControl(folder: string, ...args: readonly string[]) {
  const given = ['devnet', '--control', '--rpc.laddr=tcp://127.0.0.1:0', ...args]
  const running = launch('sh', ['-c', `cd "$0" && exec "$@"`, folder, HALLEY, ...given], { TMPDIR: folder })
  await running.saw('dev_snapshot')
  return { ...running, url: /RPC +(\S+)/.exec(running.output())?.[1] ?? '' }
}

test('default: the curl lines of the banner work; time, snapshots and faults are controlled; no file remains', async () => {
  const folder = temporaryFolder()
  const running = await startControl(folder, '--validators', '4', '--app-state', '{"alice":"100"}')
  const lines = [...running.output().matchAll(/curl '(\S+)'/g)].map(([, url = '']) => url)
  expect(lines).toHaveLength(4)
  for (const line of lines) expect(await (await fetch(line)).json()).toHaveProperty('result')
  expect(running.output()).not.toContain('Prevoting nil')
  const transport = createHttpTransport(running.url)
  const [client, devnet] = [createRpcClient(transport), createDevnetClient(transport)]
  const height = await devnet.mine(5, 1000)
  const id = await devnet.snapshot()
  expect((await client.broadcastTxCommit({ tx: 'a=1' })).txResult.code).toBe(0)
  expect(await devnet.revert(id)).toBe(height)
  const value = async (data: string): Promise<string> =>
    new TextDecoder().decode((await client.abciQuery({ data })).response.value)
  expect([await value('a'), await value('name')]).toEqual(['', 'satoshi'])
  const description = await (await fetch(`${running.url}/openapi.json`)).json()
  expect(description).toHaveProperty(['paths', '/dev_mine'])
  expect(await running.stop('SIGINT')).toBe(0)
  expect(readdirSync(folder).filter((name) => name.startsWith('halley-devnet-'))).toEqual([])
  expect(existsSync(join(folder, '.halley'))).toBe(false)
})

test.each([
  { args: ['--rpc.laddr=tcp://0.0.0.0:0'], says: 'is open to other machines' },
  { args: ['--rpc.laddr=tcp://127.0.0.1:0,tcp://[::]:0'], says: 'is open to other machines' },
  { args: ['--reset'], says: 'leave --statesync, --reset and --log out' },
  { args: ['--proxy_app', 'nothing'], says: 'or the address of an application' },
  { args: ['--validators', '2', '--proxy_app', 'tcp://127.0.0.1:1'], says: 'proxy_app has 1 addresses' },
  { args: ['--app-restart', 'true'], says: 'give its address with --proxy_app' },
])('error: --control with $args is refused, with what to do', async ({ args, says }) => {
  const { code, stderr } = await run(HALLEY, ['devnet', '--control', ...args])
  expect(code).toBe(1)
  expect(stderr).toContain(says)
  expect(stderr).toContain('[CLI_USAGE]')
})

test.each(['socket', 'grpc'])(
  'default: an application in another process goes back with the chain (%s)',
  async (abci) => {
    const folder = temporaryFolder()
    const address = `unix://${folder}/app.sock`
    const command = `kill $(cat pid) 2>/dev/null; rm -f app.sock; ${KVSTORE} --abci ${abci} --address ${address} >/dev/null 2>&1 & echo $! > pid`
    await run('sh', ['-c', `cd "$0" && ${command}`, folder])
    const running = await startControl(folder, '--proxy_app', address, '--abci', abci, '--app-restart', command)
    const transport = createHttpTransport(running.url)
    const [client, devnet] = [createRpcClient(transport), createDevnetClient(transport)]
    await client.broadcastTxCommit({ tx: 'a=1' })
    const id = await devnet.snapshot()
    await client.broadcastTxCommit({ tx: 'a=2' })
    await devnet.mine(3)
    expect(await devnet.revert(id)).toBe(1)
    expect(new TextDecoder().decode((await client.abciQuery({ data: 'a' })).response.value)).toBe('1')
    expect(await devnet.reset()).toBe(0)
    expect(await running.stop('SIGINT')).toBe(0)
    await run('sh', ['-c', 'kill $(cat "$0/pid")', folder])
  },
)

test('default: a validator that is added uses the further application of --proxy_app', async () => {
  const folder = temporaryFolder()
  const addresses = ['one', 'two'].map((name) => `unix://${folder}/${name}.sock`)
  const commands = addresses.map((address) => `${KVSTORE} --address ${address} >/dev/null 2>&1 & echo $! >> pids`)
  await run('sh', ['-c', `cd "$0"; ${commands.join('; ')}`, folder])
  const running = await startControl(folder, '--proxy_app', addresses.join(','))
  const transport = createHttpTransport(running.url)
  const [client, devnet] = [createRpcClient(transport), createDevnetClient(transport)]
  await client.broadcastTxCommit({ tx: 'a=1' })
  const { address, height } = await devnet.addValidator(10)
  const { validators } = await client.validators({ height })
  expect(validators.map((one) => [bytesToHex(one.address), one.votingPower])).toContainEqual([address, 10n])
  expect(await devnet.mine(3)).toBe(height + 3)
  await expect(devnet.addValidator(10)).rejects.toThrow('[DEVNET_TOO_FEW_APPS]')
  expect(await running.stop('SIGINT')).toBe(0)
  await run('sh', ['-c', 'kill $(cat "$0/pids")', folder])
})

const COUNTER = (step: number): string => `export default () => {
  let total = 0
  return {
    finalizeBlock: ({ txs }) => {
      total += ${step} * txs.length
      return { txResults: txs.map(() => ({ code: 0 })), appHash: String(${step === 1 ? 'total' : `total / ${step}`}) }
    },
    query: () => ({ value: String(total) }),
  }
}
`

test('default: an application in a file goes back with the chain, and a change of the file replays the chain', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'app.ts'), COUNTER(1))
  const running = await startControl(folder, '--app', 'app.ts', '--watch')
  const transport = createHttpTransport(running.url)
  const [client, devnet] = [createRpcClient(transport), createDevnetClient(transport)]
  const total = async (): Promise<string> => new TextDecoder().decode((await client.abciQuery()).response.value)
  await client.broadcastTxCommit({ tx: 'one' })
  const id = await devnet.snapshot()
  await client.broadcastTxCommit({ tx: 'two' })
  expect(await total()).toBe('2')
  await devnet.revert(id)
  expect(await total()).toBe('1')
  writeFileSync(join(folder, 'app.ts'), COUNTER(10))
  await running.saw('Ready at block 1')
  expect(await total()).toBe('10')
  writeFileSync(join(folder, 'app.ts'), 'export default {')
  await running.saw('The chain continues with the application as it was')
  expect(await devnet.mine(2)).toBe(3)
  expect(await running.stop('SIGINT')).toBe(0)
})

test('error: --remote-control without --control is refused', async () => {
  const { code, stderr } = await run(HALLEY, ['devnet', '--remote-control'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('--remote-control needs --control')])
})

test('default: --dump writes the chain to a file, and --load continues it', async () => {
  const folder = temporaryFolder()
  const first = await startControl(folder, '--validators', '2', '--dump', 'chain.dump')
  const transport = createHttpTransport(first.url)
  await createRpcClient(transport).broadcastTxCommit({ tx: 'a=1' })
  const height = await createDevnetClient(transport).mine(3)
  const dump = await createDevnetClient(transport).dump()
  expect(await createDevnetClient(transport).load(dump)).toBe(height)
  expect(await first.stop('SIGINT')).toBe(0)
  const second = await startControl(folder, '--load', 'chain.dump')
  const client = createRpcClient(createHttpTransport(second.url))
  expect(Number((await client.status()).syncInfo.latestBlockHeight)).toBe(height)
  expect(new TextDecoder().decode((await client.abciQuery({ data: 'a' })).response.value)).toBe('1')
  expect((await client.broadcastTxCommit({ tx: 'a=2' })).txResult.code).toBe(0)
  expect(await second.stop('SIGINT')).toBe(0)
  writeFileSync(join(folder, 'cut.dump'), dump.slice(0, -10))
  for (const [file, code] of [
    ['missing.dump', 'DEVNET_DUMP_FILE'],
    ['cut.dump', 'DEVNET_DUMP_TRUNCATED'],
  ] as const) {
    const { stderr } = await run(HALLEY, ['devnet', '--control', '--load', join(folder, file)])
    expect(stderr).toContain(code)
  }
})
