import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createSender,
  differences,
  type Exchange,
  findProgram,
  freePort,
  startNodeProcess,
  unpackHome,
} from '@org/golden'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NOT_IN_DUMP } from './dump-ports.ts'
import { anyEvidence } from './generate-evidence.ts'
import { anyExchange } from './generate-requests.ts'
import { sendRaw } from './raw.ts'
import { RAW_CASES } from './raw-cases.ts'
import { startRpc } from './start-rpc.ts'

/** Until then the latest height of validators and parameters is another. */
async function untilConsensus(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/status`).then((response) => response.text())
    if (answer.includes('"catching_up":false')) return
    await sleep(50)
  }
}

const reference = findProgram('cometbft')

/** How many questions; a larger number finds more, and takes longer. */
const RUNS = Number(process.env.RPC_INTEROP_RUNS ?? 3000)

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

/** Evidence now and then. */
const anyQuestion = fc.oneof({ weight: 9, arbitrary: anyExchange }, { weight: 1, arbitrary: anyEvidence })

const withoutTimes = (text: string): string => text.replace(/^(X-Server-Time|Date): [^\r\n]*/gm, '$1')

describe.skipIf(reference === undefined)('the reference on the same home (needs cometbft on PATH)', () => {
  test('behavior: equal bytes for whatever comes over a connection', { timeout: 60_000 }, async () => {
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

  test('behavior: equal answers to generated questions', { timeout: 120_000 }, async () => {
    await using theirs = await startReference()
    await using ours = await startRpc({ strict: true })
    const senders = [createSender(theirs.port, 'h'), createSender(ours.port, 'h')] as const
    let compared = 0
    const compare = async (exchange: Exchange): Promise<void> => {
      const [wanted, got] = await Promise.all(senders.map((sender) => sender.send(exchange)))
      if (JSON.stringify(got).includes(NOT_IN_DUMP)) return
      const [first] = differences(wanted, got)
      // Answers to HEAD have no body that would show why they differ.
      if (first !== undefined && exchange.request.method !== 'HEAD') expect({ exchange, ...first }).toBeUndefined()
      compared++
    }
    try {
      for (const exchange of fc.sample(anyQuestion, { numRuns: RUNS })) await compare(exchange)
      expect(compared).toBeGreaterThan(RUNS * 0.8)
    } finally {
      for (const sender of senders) sender.close()
    }
  })
})
