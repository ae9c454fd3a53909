import { DB_NAMES, del } from '@org/engine/storage'
import { utf8ToBytes } from '@org/types/bytes'
import { expect, test } from 'vitest'
import { createNetwork } from '../src/index.ts'

/** Returns the violations in a network whose third node has lost the entries of a database for the first heights. */
async function robbed(database: string, keyOf: (height: number) => string) {
  const network = createNetwork({ seed: 11, extensionsFrom: 2 })
  network.start()
  await network.reach(5, 20_000)
  const node = network.nodes[2]
  const life = node?.life()
  if (node === undefined || life === undefined) throw new Error('the node is down')
  const db = node.stores.get(database)?.open(life)
  const keys = [1, 2, 3].map((height) => utf8ToBytes(keyOf(height)))
  expect(keys.map((key) => db?.has(key))).toEqual([true, true, true])
  void db?.write(keys.map((key) => del(key)))
  await network.pass(5)
  await network.monitor.conclude([node])
  return network.monitor.violations()
}

test.each([
  ['validators', DB_NAMES.state, (height: number) => `validatorsKey:${height}`],
  ['parameters', DB_NAMES.state, (height: number) => `consensusParamsKey:${height}`],
  ['commits', DB_NAMES.blocks, (height: number) => `C:${height}`],
  ['parts of blocks', DB_NAMES.blocks, (height: number) => `P:${height}:0`],
])('error: a node that has lost its %s breaks a rule', async (_, database, keyOf) => {
  const rules = (await robbed(database, keyOf)).map(({ rule }) => rule)
  expect(rules).toContain('stored')
})

test('default: the stored data of each height is consistent', async () => {
  const network = createNetwork({ seed: 11, extensionsFrom: 2 })
  network.start()
  expect(await network.reach(5, 20_000)).toBe(true)
  await network.monitor.conclude(network.nodes)
  expect(network.monitor.violations()).toEqual([])
})

test('behavior: blocks that the application does not keep are removed, while parameters change', async () => {
  const network = createNetwork({ seed: 12, appKeepsBlocks: 3, appChangesParamsEvery: 2 })
  network.start()
  expect(await network.reach(8, 20_000)).toBe(true)
  await network.monitor.conclude(network.nodes)
  expect(network.monitor.violations()).toEqual([])
  const { blockStore, stateStore } = network.nodes[0]?.engine() ?? {}
  expect(blockStore?.base()).toBeGreaterThan(3)
  expect(stateStore?.loadConsensusParams(8).block.maxBytes).toBe(1_000_006n)
})
