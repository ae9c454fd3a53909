import { join } from 'node:path'
import { findProgram, freePort } from '@org/golden'
import { expect, test } from 'vitest'
import { agreement, sendTx, status, storedValue } from './support/chain.ts'
import { launch, temporaryFolder } from './support/process.ts'
import { scaled } from './support/scale.ts'
import { createTestnet, type Kind, needsCometbft, reached } from './support/testnet.ts'

const KVSTORE = new URL('../../kvstore/bin/kvstore', import.meta.url).pathname
const TEST = 'the four-way application test'
const abciCli = findProgram('abci-cli', TEST)
const missing = needsCometbft(TEST) || abciCli === undefined

type Transport = 'socket' | 'grpc'

/** Starts a kvstore in a separate process. Resolves with its address. */
async function startApplication(kind: Kind, transport: Transport): Promise<string> {
  const address =
    transport === 'grpc' ? `127.0.0.1:${await freePort()}` : `unix://${join(temporaryFolder(), 'app.sock')}`
  const args = ['--address', address, '--abci', transport]
  if (kind === 'halley') await launch(KVSTORE, [...args, '--rules', 'v0.38']).saw('kvstore: ')
  else await launch(abciCli ?? '', ['kvstore', ...args]).saw('service start')
  return address
}

/** The implementation of the node and the implementation of its application, for each of the four nodes. */
const PAIRS: readonly (readonly [Kind, Kind])[] = [
  ['go', 'go'],
  ['go', 'halley'],
  ['halley', 'go'],
  ['halley', 'halley'],
]
const HEIGHTS = scaled(20, 100)

async function runFourWays(transports: readonly Transport[]): Promise<void> {
  const applications = await Promise.all(PAIRS.map(([, app], i) => startApplication(app, transports[i] ?? 'socket')))
  const nodes = await createTestnet({
    kinds: PAIRS.map(([engine]) => engine),
    application: (index) => applications[index] ?? '',
    transport: (index) => transports[index] ?? 'socket',
  })
  for (const node of nodes) node.start()
  await reached(3, nodes, 60_000)
  for (const node of nodes) await sendTx(node, `pair${node.index}=${transports[node.index]}`)
  await reached(HEIGHTS, nodes, 180_000)
  const { proposed } = await agreement(nodes, 1, HEIGHTS)
  for (const node of nodes) expect(proposed.has((await status(node)).validator_info.address)).toBe(true)
  for (const node of nodes) {
    for (const index of PAIRS.keys()) {
      await expect.poll(() => storedValue(node, `pair${index}`), { timeout: 20_000 }).toBe(transports[index])
    }
  }
}

const MIXES: readonly (readonly Transport[])[] = scaled(
  [['socket', 'grpc', 'grpc', 'socket']],
  [
    ['socket', 'socket', 'socket', 'socket'],
    ['grpc', 'grpc', 'grpc', 'grpc'],
    ['socket', 'grpc', 'grpc', 'socket'],
    ['grpc', 'socket', 'socket', 'grpc'],
  ],
)

for (const transports of MIXES) {
  test.skipIf(missing)(
    `behavior: nodes of both kinds with applications of both kinds agree in one network, over ${transports.join(', ')}`,
    async () => {
      await runFourWays(transports)
    },
    240_000,
  )
}
