import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startNodeProcess } from '@org/golden'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url).pathname

test('default: the application of the README runs behind a node', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'halley-example-'))
  const [appPort, rpcPort, p2pPort] = [await freePort(), await freePort(), await freePort()]
  const address = `tcp://127.0.0.1:${appPort}`
  const file = join(root, 'tooling/examples/src/counter.ts')
  const app: ChildProcess = spawn(process.execPath, [file, address], { stdio: 'inherit' })
  const halley = join(root, 'apps/node/bin/halley')
  const home = join(directory, 'home')
  execFileSync(halley, ['init', '--home', home])
  const node = startNodeProcess({
    binary: halley,
    args: [
      ...['start', '--home', home, `--proxy_app=${address}`, '--consensus.timeout_commit=50ms'],
      ...[`--rpc.laddr=tcp://127.0.0.1:${rpcPort}`, `--p2p.laddr=tcp://127.0.0.1:${p2pPort}`],
    ],
    home,
    rpcPort,
    logFile: join(directory, 'log'),
  })
  try {
    await node.ready()
    const get = async (path: string): Promise<Record<string, never>> =>
      ((await (await fetch(`http://127.0.0.1:${rpcPort}/${path}`)).json()) as { result: Record<string, never> }).result
    const { tx_result: result } = await get('broadcast_tx_commit?tx="hello"')
    expect(result).toMatchObject({ code: 0 })
    expect(await get('abci_query')).toMatchObject({ response: { value: btoa('1') } })
    expect(await get(`broadcast_tx_sync?tx="${'x'.repeat(101)}"`)).toMatchObject({ code: 1, log: 'at most 100 bytes' })
  } finally {
    await node.stop()
    app.kill('SIGTERM')
    await rm(directory, { recursive: true, force: true })
  }
})
