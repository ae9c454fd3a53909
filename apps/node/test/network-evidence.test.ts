import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { block, sendTx, status } from './support/chain.ts'
import { scaled } from './support/scale.ts'
import { createTestnet, type Kind, type NetworkNode, needsCometbft, reached } from './support/testnet.ts'

/**
 * Adds an entry to `seen` for each block with evidence: the height of the block, and the implementation that its
 * proposer runs, `go` or `halley`. Reads the blocks after the last height in `seen`, up to the newest block of `node`.
 */
async function evidenceBlocks(
  node: NetworkNode,
  kindOf: ReadonlyMap<string, Kind>,
  seen: Map<number, Kind | undefined>,
): Promise<ReadonlyMap<number, Kind | undefined>> {
  const top = await node.height()
  for (let height = Math.max(0, ...seen.keys()) + 1; height <= top; height++) {
    const { header, evidence } = (await block(node, height)).block
    if (evidence.evidence.length > 0) seen.set(height, kindOf.get(header.proposer_address))
  }
  return seen
}

/**
 * The power of each validator at the beginning of the test. The twin signs with the key of one validator, the original.
 * Each double sign for which a block contains evidence reduces the power of the original by 1. The test must end before
 * this power is 0.
 *
 * The test ends when validators of each implementation have proposed a block with evidence. The validator that proposes
 * the next block after a double sign adds the evidence. Each change of the powers changes the order of the proposers.
 * So these blocks come from different validators, and the test ends after some double signs.
 */
const POWER = 100

/**
 * Runs four validators and a twin. The twin is the fifth node, and signs with the key of the validator `twinOf`, the
 * original. `kinds` are the implementations that the five nodes run: `go` or `halley`. Ends when each implementation of
 * the three validators that are not the original has proposed a block with evidence.
 */
async function catchTwin(kinds: readonly Kind[], twinOf: number): Promise<void> {
  const nodes = await createTestnet({
    kinds,
    validators: 4,
    config: { 'consensus.timeout_propose': '"400ms"' },
    genesis: ({ validators }) => {
      for (const validator of validators as Record<string, unknown>[]) validator.power = String(POWER)
    },
  })
  const [original, twin] = [nodes[twinOf], nodes[4]] as [NetworkNode, NetworkNode]
  const key = 'config/priv_validator_key.json'
  copyFileSync(join(original.home, key), join(twin.home, key))
  for (const node of nodes) node.start()
  await reached(2, nodes.slice(0, 4))
  const watchers = nodes.slice(0, 4).filter((node) => node !== original)
  const kindOf = new Map(
    await Promise.all(watchers.map(async (node) => [(await status(node)).validator_info.address, node.kind] as const)),
  )
  const seen = new Map<number, Kind | undefined>()
  const wanted = new Set(watchers.map(({ kind }) => kind))
  let sent = 0
  await expect
    .poll(
      async () => {
        // The twin has this transaction before the original has it, so the two propose different blocks.
        await sendTx(twin, `twin${sent++}=1`).catch(() => undefined)
        const proposers = new Set((await evidenceBlocks(watchers[0] as NetworkNode, kindOf, seen)).values())
        return [...wanted].every((kind) => proposers.has(kind))
      },
      { timeout: 90_000, interval: 50 },
    )
    .toBe(true)
  const last = Math.max(...seen.keys())
  await reached(last, watchers)
  for (const height of seen.keys()) {
    const [first, ...others] = await Promise.all(watchers.map((node) => block(node, height)))
    for (const other of others) expect(other).toEqual(first)
  }
}

test('default: Halley validators catch a double sign', async () => {
  await catchTwin(['halley', 'halley', 'halley', 'halley', 'halley'], 0)
}, 120_000)

const missing = needsCometbft('the double sign in a mixed network')

/**
 * The implementations of the five nodes, and the index of the validator whose key the twin uses. The twin is the last
 * node, and runs the same implementation as that validator.
 */
const MIXES: readonly (readonly [readonly Kind[], number])[] = [
  [['go', 'halley', 'go', 'halley', 'halley'], 1],
  ...scaled<readonly (readonly [readonly Kind[], number])[]>(
    [],
    [
      [['halley', 'halley', 'go', 'halley', 'halley'], 0],
      [['go', 'go', 'halley', 'go', 'go'], 0],
    ],
  ),
]

for (const [kinds, twinOf] of MIXES) {
  test.skipIf(missing)(
    `behavior: a mixed network catches a double sign, and both kinds take the evidence: ${kinds.join(', ')}`,
    async () => {
      await catchTwin(kinds, twinOf)
    },
    120_000,
  )
}
