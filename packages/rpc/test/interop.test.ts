import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram, freePort, startNodeProcess, unpackHome } from '@org/golden'
import { describe, expect, test } from 'vitest'
import { sendRaw } from './raw.ts'
import { RAW_CASES } from './raw-cases.ts'
import { startRpc } from './start-rpc.ts'

/**
 * Waits until the node is not catching up any more. Before and after this moment, `validators` and `consensus_params`
 * without a height answer for different heights: first for the last block, then for the height after it.
 */
async function untilConsensus(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/status`).then((response) => response.text())
    if (answer.includes('"catching_up":false')) return
    await sleep(50)
  }
}

const reference = findProgram('cometbft')

interface Reference extends AsyncDisposable {
  readonly port: number
}

async function startReference(): Promise<Reference> {
  const home = await mkdtemp(join(tmpdir(), 'halley-rpc-interop-'))
  await unpackHome('kvstore-single/home.tar.gz', home)
  const [port, p2pPort] = [await freePort(), await freePort()]
  const node = startNodeProcess({
    binary: reference as string,
    args: [
      ...['start', '--home', '.', '--proxy_app', 'kvstore'],
      ...['--rpc.laddr', `tcp://127.0.0.1:${port}`, '--p2p.laddr', `tcp://127.0.0.1:${p2pPort}`],
    ],
    home,
    rpcPort: port,
    logFile: join(home, 'node.log'),
  })
  await node.ready()
  await untilConsensus(port)
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      await node.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

const withoutTimes = (text: string): string => text.replace(/^(X-Server-Time|Date): [^\r\n]*/gm, '$1')

describe.skipIf(reference === undefined)('the reference on the same home (needs cometbft on PATH)', () => {
  test('behavior: sends the same bytes as the reference for any input', { timeout: 60_000 }, async () => {
    await using theirs = await startReference()
    await using ours = await startRpc({ strict: true })
    const compare = async (text: string): Promise<void> => {
      const bytes = Buffer.from(text, 'latin1')
      const [wanted, got] = await Promise.all([theirs.port, ours.port].map((port) => sendRaw(port, bytes, 700)))
      expect({ ...got, text: withoutTimes(got?.text ?? '') }, text.slice(0, 200)).toEqual({
        ...wanted,
        text: withoutTimes(wanted?.text ?? ''),
      })
    }
    for (let i = 0; i < RAW_CASES.length; i += 20) await Promise.all(RAW_CASES.slice(i, i + 20).map(compare))
  })
})
