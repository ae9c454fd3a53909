import { noopLogger } from '@org/runtime'
import { ResponseCommit } from '@org/types/abci'
import { expect, test } from 'vitest'
import { plainExecutor } from './plain-executor.ts'
import * as testChain from './test-chain.ts'

async function run(height: number, retainHeight: number) {
  const keys = testChain.makeKeys(1)
  const stores = testChain.memoryStores()
  const pruned: number[] = []
  const errors: string[] = []
  let state = testChain.genesisState(testChain.makeGenesis(keys))
  await stores.stateStore.save(state)
  let at = 0
  const executor = plainExecutor(stores, {
    logger: { ...noopLogger, error: (message) => void errors.push(message) },
    app: testChain.agreeableApp({
      commit: () => Promise.resolve(ResponseCommit.create({ retainHeight: ++at === height ? retainHeight : 0 })),
    }),
    indexer: {
      index: () => Promise.resolve(),
      prune: (retain) => Promise.resolve(void pruned.push(retain)),
    },
  })
  let last: Parameters<typeof testChain.makeBlockOn>[2]
  for (let next = 1; next <= height; next++) {
    const block = testChain.makeBlockOn(state, keys, last)
    await stores.blockStore.saveBlock({ block: block.block, parts: block.parts, seenCommit: block.commit })
    state = await executor.applyBlock({ state, ...block })
    last = { lastCommit: block.commit }
  }
  await executor.durable()
  return { ...stores, pruned, errors, state }
}

test('behavior: the retain height prunes blocks, states and index', async () => {
  const { blockStore, stateStore, pruned } = await run(8, 5)
  expect([blockStore.base(), blockStore.height(), blockStore.loadBlock(4)]).toEqual([5, 8, undefined])
  expect(() => stateStore.loadFinalizeBlockResponse(4)).toThrow()
  expect(stateStore.loadFinalizeBlockResponse(5).appHash).toEqual(Uint8Array.of(5))
  expect(stateStore.loadValidators(5).validators.length).toBe(1)
  expect(pruned).toEqual([5])
})

test('behavior: a retain height at or below the base prunes nothing', async () => {
  const { blockStore, pruned } = await run(4, 1)
  expect([blockStore.base(), pruned.length]).toEqual([1, 0])
})

test('behavior: an invalid retain height is logged, and the chain continues', async () => {
  const { blockStore, errors, state } = await run(4, 99)
  expect([blockStore.base(), state.lastBlockHeight]).toEqual([1, 4])
  expect(errors).toEqual(['failed to prune blocks'])
})
