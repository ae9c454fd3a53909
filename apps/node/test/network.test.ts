import { expect, test } from 'vitest'
import { agreement, powerTx, sendTx, signsLately, status, storedValue, validators } from './support/chain.ts'
import { FULL, scaled } from './support/scale.ts'
import { createTestnet, type Kind, type NetworkNode, needsCometbft, POWER, reached } from './support/testnet.ts'

const HEIGHTS = scaled(25, 200)
const TIMEOUT_MS = scaled(90_000, 400_000)

/** Sends a transaction to each node. */
async function sendEach(nodes: readonly NetworkNode[], round: number): Promise<void> {
  for (const node of nodes) await sendTx(node, `from${node.index}in${round}=${node.kind}`)
}

async function expectEachIn(nodes: readonly NetworkNode[], rounds: number): Promise<void> {
  for (const node of nodes) {
    for (let round = 0; round < rounds; round++) {
      for (const { index, kind } of nodes) {
        await expect
          .poll(() => storedValue(node, `from${index}in${round}`), { timeout: 20_000, interval: 100 })
          .toBe(kind)
      }
    }
  }
}

const powerOn = async (nodes: readonly NetworkNode[], address: string): Promise<readonly (string | undefined)[]> =>
  Promise.all(
    nodes.map(async (node) => (await validators(node)).validators.find((one) => one.address === address)?.voting_power),
  )

/**
 * Resolves when the validator has this power on every node. `undefined` means that no node has this validator any more.
 */
async function havePower(nodes: readonly NetworkNode[], address: string, power: number | undefined): Promise<void> {
  const wanted = nodes.map(() => (power === undefined ? undefined : String(power)))
  await expect.poll(() => powerOn(nodes, address), { timeout: 60_000, interval: 200 }).toEqual(wanted)
}

/**
 * Makes the full node `joining` a validator, and waits until it signs. Then gives another validator more power, and
 * makes `joining` a full node again.
 */
async function changeValidators(nodes: readonly NetworkNode[], joining: NetworkNode): Promise<void> {
  const { address } = (await status(joining)).validator_info
  await sendTx(nodes[0] as NetworkNode, await powerTx(joining, POWER))
  await havePower(nodes, address, POWER)
  await expect.poll(() => signsLately(joining, joining), { timeout: 60_000, interval: 100 }).toBe(true)
  const stronger = nodes[1] as NetworkNode
  await sendTx(nodes[2] as NetworkNode, await powerTx(stronger, POWER + 5))
  await havePower(nodes, (await status(stronger)).validator_info.address, POWER + 5)
  await sendTx(joining, await powerTx(joining, 0))
  await havePower(nodes, address, undefined)
}

/**
 * Runs a network of four validators. If `kinds` has five entries, the fifth node becomes a validator, and later a full
 * node again.
 */
async function runNetwork(kinds: readonly Kind[], config: Readonly<Record<string, string>> = {}): Promise<void> {
  const nodes = await createTestnet({ kinds, validators: 4, config })
  for (const node of nodes) node.start()
  await reached(3, nodes, 60_000)
  await sendEach(nodes, 0)
  const joining = nodes[4]
  if (joining !== undefined) await changeValidators(nodes, joining)
  await sendEach(nodes, 1)
  await reached(HEIGHTS, nodes, TIMEOUT_MS)
  const { proposed, signed } = await agreement(nodes, 2, HEIGHTS)
  const shares: string[] = []
  for (const node of nodes.slice(0, 4)) {
    const { address } = (await status(node)).validator_info
    expect(proposed.get(address) ?? 0, `${node.kind} ${node.index} proposed`).toBeGreaterThan(HEIGHTS / 20)
    expect(signed.get(address) ?? 0, `${node.kind} ${node.index} signed`).toBeGreaterThan(HEIGHTS / 20)
    shares.push(`${node.kind} ${node.index}: proposed ${proposed.get(address)}, signed ${signed.get(address)}`)
  }
  await expectEachIn(nodes, 2)
  if (FULL) console.log(shares.join('; '))
}

test(
  `default: four Halley validators in separate processes decide ${HEIGHTS} heights`,
  async () => {
    await runNetwork(['halley', 'halley', 'halley', 'halley', 'halley'])
  },
  TIMEOUT_MS + 60_000,
)

const missing = needsCometbft('the mixed network')
/** The implementations of the nodes of each network. A fifth node begins as a full node. */
const MIXES: readonly (readonly Kind[])[] = [
  ['go', 'halley', 'go', 'halley', 'halley'],
  ['halley', 'halley', 'go', 'halley', ...scaled<Kind[]>([], ['go'])],
  ['go', 'go', 'halley', 'go', ...scaled<Kind[]>([], ['halley'])],
]

/**
 * The time for which the nodes wait for late votes. It is longer than 100 ms, because a Go node holds each message in a
 * buffer for up to 100 ms (`p2p.flush_throttle_timeout`). Without this wait, the other validators may commit a height
 * before they receive the vote of the Go node, and the commit lacks this vote.
 */
const WAITS_FOR_GO = { 'consensus.timeout_commit': '"150ms"' }

for (const kinds of MIXES) {
  test.skipIf(missing)(
    `behavior: validators of both kinds decide ${HEIGHTS} heights: ${kinds.join(', ')}`,
    async () => {
      await runNetwork(kinds, WAITS_FOR_GO)
    },
    TIMEOUT_MS + 60_000,
  )
}
