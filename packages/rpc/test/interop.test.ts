import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSender, differences, type Exchange, startNodeProcess, unpackHome } from '@org/golden'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRpc } from '../src/index.ts'
import { createDumpPorts, NOT_IN_DUMP } from './dump-ports.ts'
import { anyExchange } from './generate-requests.ts'

function findReference(): string | undefined {
  try {
    return process.env.COMETBFT_BIN ?? execFileSync('which', ['cometbft'], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(address)))
    })
  })
}

/** Until then the latest height of validators and parameters is another. */
async function untilConsensus(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/status`).then((response) => response.text())
    if (answer.includes('"catching_up":false')) return
    await sleep(50)
  }
}

const reference = findReference()

/** How many questions; a larger number finds more, and takes longer. */
const RUNS = Number(process.env.RPC_INTEROP_RUNS ?? 3000)

describe.skipIf(reference === undefined)('the reference on the same home (needs cometbft on PATH)', () => {
  test('behavior: equal answers to generated questions', { timeout: 120_000 }, async () => {
    const home = await mkdtemp(join(tmpdir(), 'halley-rpc-interop-'))
    await unpackHome('kvstore-single/home.tar.gz', home)
    const [rpcPort, p2pPort] = [await freePort(), await freePort()]
    const node = startNodeProcess({
      binary: reference as string,
      args: [
        ...['start', '--home', '.', '--proxy_app', 'kvstore'],
        ...['--rpc.laddr', `tcp://127.0.0.1:${rpcPort}`, '--p2p.laddr', `tcp://127.0.0.1:${p2pPort}`],
      ],
      home,
      rpcPort,
      logFile: join(home, 'node.log'),
    })
    const options = { laddr: 'tcp://127.0.0.1:0', strict: true }
    const ours = await createRpc({ ports: createDumpPorts('kvstore-single', { indexing: true }), options }).listen()
    const ourPort = Number(/\d+$/.exec(ours.addresses[0] ?? '')?.[0])
    await node.ready()
    await untilConsensus(rpcPort)
    const senders = [createSender(rpcPort, 'h'), createSender(ourPort, 'h')] as const
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
      for (const exchange of fc.sample(anyExchange, { numRuns: RUNS })) await compare(exchange)
      expect(compared).toBeGreaterThan(RUNS * 0.9)
    } finally {
      for (const sender of senders) sender.close()
      await node.stop()
      await ours.stop()
      await rm(home, { recursive: true, force: true })
    }
  })
})
