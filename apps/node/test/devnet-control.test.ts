import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import { createDevnetClient } from '@org/rpc/client/devnet'
import { expect, test } from 'vitest'
import { HALLEY, launch, run, temporaryFolder } from './support/process.ts'

async function startControl(folder: string, ...args: readonly string[]) {
  const given = ['devnet', '--control', '--rpc.laddr=tcp://127.0.0.1:0', ...args]
  const running = launch('sh', ['-c', `cd "$0" && exec "$@"`, folder, HALLEY, ...given], { TMPDIR: folder })
  await running.saw('dev_snapshot')
  return { ...running, url: /RPC +(\S+)/.exec(running.output())?.[1] ?? '' }
}

test('default: the curl lines of the banner work; time, snapshots and faults are controlled; nothing is left behind', async () => {
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
  { args: ['--app', 'app.ts'], says: 'leave --app, --statesync, --reset and --log out' },
  { args: ['--proxy_app', 'tcp://127.0.0.1:26658'], says: 'it takes kvstore, kvstore-v0.38 or noop' },
])('error: --control with $args is refused, with what to do', async ({ args, says }) => {
  const { code, stderr } = await run(HALLEY, ['devnet', '--control', ...args])
  expect(code).toBe(1)
  expect(stderr).toContain(says)
  expect(stderr).toContain('[CLI_USAGE]')
})

test('error: --remote-control alone is refused', async () => {
  const { code, stderr } = await run(HALLEY, ['devnet', '--remote-control'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('--remote-control needs --control')])
})
