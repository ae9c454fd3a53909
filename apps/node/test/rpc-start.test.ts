import { existsSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeHome } from './support/node.ts'
import { HALLEY, launch, run, temporaryFolder } from './support/process.ts'

const QUIET = ['--proxy_app=kvstore', '--log_level=error'] as const

/** Expects that a start is refused with exit code 1. Resolves with the only line of the output. */
async function refusal(home: string, ...args: readonly string[]): Promise<string> {
  const finished = await run(HALLEY, ['start', '--home', home, ...QUIET, ...args])
  const lines = finished.stderr.trim().split('\n')
  expect([finished.code, lines.length, finished.stderr]).toEqual([1, 1, expect.stringMatching(/^ERROR: /)])
  return lines[0] ?? ''
}

describe('an RPC that cannot start', () => {
  let home = ''
  const file = (name: string): string => join(home, 'config', name)

  async function fresh(): Promise<void> {
    home = await makeHome(temporaryFolder())
  }

  test.each([
    [['--rpc.laddr=localhost:1'], 'invalid listening address', 'RPC_CONFIG'],
    [['--rpc.laddr=tcp://127.0.0.1:99999'], 'invalid listening address', 'RPC_CONFIG'],
    [['--rpc.laddr=udp://127.0.0.1:1'], 'only tcp:// and unix:// are supported', 'RPC_CONFIG'],
    [['--rpc.laddr=tcp://256.1.1.1:0'], 'failed to listen on tcp://256.1.1.1:0', 'RPC_CONFIG'],
    [['--rpc.laddr=unix:///nowhere/at/all.sock'], 'failed to listen on unix:///nowhere/at/all.sock', 'RPC_CONFIG'],
    [['--rpc.laddr=tcp://127.0.0.1:0', '--rpc.cors_allowed_origins=https://a b'], 'cors_allowed_origins', 'RPC_CONFIG'],
    [['--rpc.laddr=tcp://127.0.0.1:0', '--rpc.cors_allowed_origins=*.*.com'], 'cors_allowed_origins', 'RPC_CONFIG'],
    [['--rpc.laddr=tcp://127.0.0.1:0', '--rpc.rate_costs=tx'], 'rate_costs has "tx"', 'RPC_CONFIG'],
    [['--rpc.socket_mode=0999'], 'rpc.socket_mode', 'CONFIG_'],
  ])('error: a start with %j is refused', async (args, words, code) => {
    await fresh()
    const line = await refusal(home, ...args)
    expect(line).toContain(words)
    expect(line).toContain(`[${code}`)
  })

  test('error: a start is refused if the key for TLS cannot be read, or is invalid', async () => {
    await fresh()
    const tls = ['--rpc.laddr=tcp://127.0.0.1:0', '--rpc.tls_cert_file=cert.pem', '--rpc.tls_key_file=key.pem']
    const missing = await refusal(home, ...tls)
    expect(missing).toMatch(/TLS file .*cert\.pem cannot be read: ENOENT.* \[RPC_CONFIG\]$/)
    expect(missing.match(/cert\.pem/g)).toHaveLength(1)
    await writeFile(file('cert.pem'), 'no certificate')
    expect(await refusal(home, ...tls)).toMatch(/TLS file .*key\.pem cannot be read: ENOENT.* \[RPC_CONFIG\]$/)
    await writeFile(file('key.pem'), 'no key')
    expect(await refusal(home, ...tls)).toMatch(/TLS certificate or key cannot be used: .* \[RPC_CONFIG\]$/)
  })

  test('error: a start is refused if another program uses the port', async () => {
    await fresh()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as { readonly port: number }
    expect(await refusal(home, `--rpc.laddr=tcp://127.0.0.1:${port}`)).toMatch(/another program listens on .*:\d+: /)
  })
})

test('behavior: a unix socket has its mode, refuses a second node, is gone after a stop, and replaced after a kill', async () => {
  const home = await makeHome(temporaryFolder())
  const socket = join(home, 'rpc.sock')
  const laddr = `--rpc.laddr=unix://${socket}`
  const start = async () => {
    const args = ['--proxy_app=kvstore', laddr, '--rpc.socket_mode=0660']
    const node = launch(HALLEY, ['start', '--home', home, ...args])
    await node.saw('Started node')
    return node
  }
  const first = await start()
  expect(statSync(socket).mode & 0o777).toBe(0o660)
  expect(await refusal(await makeHome(temporaryFolder()), laddr)).toMatch(/another program listens on unix:/)
  expect(await first.stop()).toBe(0)
  expect(existsSync(socket)).toBe(false)
  const killed = await start()
  await killed.stop('SIGKILL')
  expect(existsSync(socket)).toBe(true)
  const last = await start()
  expect(await last.stop()).toBe(0)
  expect(existsSync(socket)).toBe(false)
})
