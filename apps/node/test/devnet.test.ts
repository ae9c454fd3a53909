import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HALLEY, launch, run, temporaryFolder } from './support/process.ts'

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

test('default: a chain from nothing, its curl lines work, it goes on when started again', async () => {
  const folder = temporaryFolder()
  const first = await startDevnet(folder)
  expect(first.output()).toContain(join(folder, '.halley', 'devnet'))
  expect(first.output().split('\n').length).toBeLessThan(16)
  const lines = [...first.output().matchAll(/curl '(\S+)'/g)].map(([, url = '']) => url)
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    const response = await fetch(line, { headers: { Origin: 'https://anywhere.example' } })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.json()).toHaveProperty('result')
  }
  expect(await first.stop('SIGINT')).toBe(0)

  const again = await startDevnet(folder)
  expect(await again.ask('/abci_query?data="name"')).toMatchObject({ response: { log: 'exists' } })
  expect(await again.stop('SIGINT')).toBe(0)
})

test('behavior: --ephemeral keeps nothing', async () => {
  const folder = temporaryFolder()
  const devnet = await startDevnet(folder, '--ephemeral')
  const homes = (): string[] => readdirSync(folder).filter((name) => name.startsWith('halley-devnet-'))
  expect(homes()).toHaveLength(1)
  expect(await devnet.ask('/broadcast_tx_commit?tx="a=1"')).toMatchObject({ tx_result: { code: 0 } })
  expect(await devnet.stop('SIGINT')).toBe(0)
  expect(homes()).toEqual([])
  expect(existsSync(join(folder, '.halley'))).toBe(false)
})

test('error: a busy port is told with what to do', async () => {
  const folder = temporaryFolder()
  const devnet = await startDevnet(folder)
  const other = join(folder, 'other')
  const finished = await run(HALLEY, ['devnet', '--home', other, `--rpc.laddr=${devnet.url.replace('http', 'tcp')}`])
  expect(finished.code).toBe(1)
  expect(finished.stderr).toMatch(/another program listens on .* choose another address.* \[CLI_ADDRESS_IN_USE\]\n$/)
  expect(existsSync(other)).toBe(true)
  await devnet.stop('SIGINT')
})
