import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agreement, block, sendTx, signsLately, storedValue } from './support/chain.ts'
import { launch, temporaryFolder } from './support/process.ts'
import {
  configure,
  createTestnet,
  joinFrom,
  type Kind,
  type NetworkNode,
  needsCometbft,
  POWER,
  reached,
} from './support/testnet.ts'

/**
 * A block at height 20 (`set`) changes the parameters, so that vote extensions are enabled from height 40 (`from`) on.
 */
const EXTENSIONS = { set: 20, from: 40 } as const
/** The block at this height makes the late node a validator. */
const JOINS_SET_AT = 160

/**
 * The application of the reference's end-to-end tests: go install github.com/cometbft/cometbft/test/e2e/node@v0.38.25
 */
const APP = process.env.E2E_NODE_BIN ?? ''
const WHAT = "state sync with the application of the reference's end-to-end tests"
if (APP === '') console.log(`skipped: ${WHAT} needs E2E_NODE_BIN`)
const missing = APP === '' || needsCometbft(WHAT)

const keyOf = ({ home }: NetworkNode): string => {
  const file = readFileSync(join(home, 'config/priv_validator_key.json'), 'utf8')
  return (JSON.parse(file) as { pub_key: { value: string } }).pub_key.value
}

/**
 * Starts the application of one node. The application puts the vote extensions of the last block into a transaction.
 */
async function startApp(address: string, late: NetworkNode): Promise<void> {
  const folder = temporaryFolder()
  const file = join(folder, 'app.toml')
  const lines = [
    'chain_id = "any"',
    `listen = "${address}"`,
    'protocol = "socket"',
    `dir = "${folder}"`,
    'snapshot_interval = 20',
    `vote_extensions_update_height = ${EXTENSIONS.set}`,
    `vote_extensions_enable_height = ${EXTENSIONS.from}`,
    `[validator_update.${JOINS_SET_AT}]`,
    `"${keyOf(late)}" = ${POWER}`,
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  await launch(APP, [file]).saw('Server listening on')
}

test.skipIf(missing).each<readonly [string, readonly [Kind, Kind, Kind]]>([
  ['Halley takes a snapshot of Go peers', ['go', 'go', 'halley']],
  ['a Go node takes a snapshot of Halley peers', ['halley', 'halley', 'go']],
  ['Halley takes a snapshot of Halley peers', ['halley', 'halley', 'halley']],
])(
  "interop: %s, with the reference's application, vote extensions and a later change of validators",
  async (_, kinds) => {
    const folder = temporaryFolder()
    const addresses = kinds.map((_kind, index) => `unix://${join(folder, String(index))}`)
    const nodes = await createTestnet({
      kinds,
      validators: 2,
      config: { 'consensus.timeout_commit': '"100ms"' },
      application: (index) => addresses[index] ?? '',
      // The application reports the app version 1, and later changes the consensus parameters. The headers after this
      // change contain the app version of the parameters. During a restore, this version must equal the version that
      // the application reports. So the genesis sets the app version of the parameters to 1.
      genesis: ({ consensus_params: params }) => Object.assign(params as object, { version: { app: '1' } }),
    })
    const [first, second, late] = nodes as [NetworkNode, NetworkNode, NetworkNode]
    for (const address of addresses) await startApp(address, late)
    first.start()
    second.start()
    await reached(2, [first, second])
    await sendTx(first, 'before=snapshot')
    await reached(105, [first, second], 240_000)
    configure(late, joinFrom([first, second], (await block(first, 10)).block_id.hash))
    late.start()
    await reached(JOINS_SET_AT + 10, nodes, 300_000)
    expect(late.log()).toContain('Snapshot restored')
    const { sync_info: sync } = await late.rpc<{ sync_info: { earliest_block_height: string } }>('status')
    expect(Number(sync.earliest_block_height)).toBeGreaterThan(80)
    expect(await storedValue(late, 'before')).toBe('snapshot')
    expect(await storedValue(late, 'extensionSum')).toMatch(/^\d+\|/)
    await expect.poll(() => signsLately(late, first), { timeout: 60_000, interval: 100 }).toBe(true)
    const at = (await first.height()) + 2
    await reached(at, nodes)
    await agreement(nodes, at - 5, at)
  },
  700_000,
)
