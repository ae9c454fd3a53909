import { type Block, type Commit, commitVote, State, type Validator, ZERO_BLOCK_ID } from '@org/types'
import type { ResponseFinalizeBlock } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import type { PrivateKey } from '@org/types/crypto'
import { expect, test } from 'vitest'
import { createSigner, INITIAL_SIGN_STATE, type SignState, SignStep } from '../../src/privval/index.ts'
import { reindex, reindexRange, rollback } from '../../src/recovery/index.ts'
import { createMemoryStore, createStateStore } from '../../src/store/index.ts'
import { plainExecutor } from '../execution/plain-executor.ts'
import { loadRecordedChain } from '../execution/recorded-chain.ts'
import { stateAt } from '../execution/replayed.ts'
import * as testChain from '../execution/test-chain.ts'

const hex = (state: State): string => bytesToHex(State.encode(state))

/**
 * Returns the encoded state without the heights at which validators and parameters last changed. A rollback does not
 * restore these two heights if the removed block changed the validators or parameters.
 */
const withoutChanges = (state: State): string =>
  hex({ ...state, lastHeightValidatorsChanged: 0, lastHeightConsensusParamsChanged: 0 })

for (const [folder, dump] of [
  ['kvstore-single', 'db-dump.jsonl'],
  ['kvstore-four', 'db-dump-node0.jsonl'],
] as const) {
  test(`golden: rolling ${folder} back leads to every earlier state, byte for byte`, async () => {
    const chain = await loadRecordedChain(folder, dump)
    const states = new Map<number, string>()
    for (let height = 2; height <= 35; height++) {
      states.set(height, withoutChanges((await stateAt(chain, height)).state))
    }
    const { stateStore } = await stateAt(chain, 35)
    let top = 35
    let removed = 0
    const deleteLatestBlock = (): Promise<void> => {
      top--
      removed++
      return Promise.resolve()
    }
    const blockStore = { ...chain.blockStore, height: () => top, deleteLatestBlock }
    for (let height = 34; height >= 2; height--) {
      const result = await rollback({ hard: true }, { blockStore, stateStore })
      const state = stateStore.load() as State
      expect(withoutChanges(state) === states.get(height)).toBe(true)
      expect(state.lastHeightValidatorsChanged).toBeLessThanOrEqual(height + 2)
      expect(result).toEqual({ height, appHash: state.appHash })
    }
    expect(removed).toBe(33)
  })
}

test('behavior: a block that was saved but not executed is only removed', async () => {
  const chain = await loadRecordedChain('kvstore-single')
  const { stateStore, state } = await stateAt(chain, 9)
  const removed: number[] = []
  const blockStore = {
    ...chain.blockStore,
    height: () => 10,
    deleteLatestBlock: () => Promise.resolve(void removed.push(10)),
  }
  expect(await rollback({ hard: false }, { blockStore, stateStore })).toEqual({ height: 9, appHash: state.appHash })
  expect(removed).toEqual([])
  expect(await rollback({ hard: true }, { blockStore, stateStore })).toEqual({ height: 9, appHash: state.appHash })
  expect(removed).toEqual([10])
  expect(hex(stateStore.load() as State)).toBe(hex(state))
})

test('behavior: the signer records the precommit for a removed block, also if a crash removed the signature', async () => {
  const keys = testChain.makeKeys(4)
  const stores = testChain.memoryStores()
  const executor = plainExecutor(stores)
  let state = testChain.genesisState(testChain.makeGenesis(keys))
  await stores.stateStore.save(state)
  let lastCommit: Commit | undefined
  for (let height = 1; height <= 3; height++) {
    const next = testChain.makeBlockOn(state, keys, lastCommit === undefined ? {} : { lastCommit })
    await stores.blockStore.saveBlock({ ...next, seenCommit: next.commit })
    state = await executor.applyBlock({ state, ...next })
    lastCommit = next.commit
  }
  await executor.durable()
  const saved: SignState[] = []
  const save = (signed: SignState): Promise<void> => Promise.resolve(void saved.push(signed))
  const signer = createSigner(keys[2] as PrivateKey, INITIAL_SIGN_STATE, { save })
  await rollback({ hard: false }, { ...stores, signer })
  expect(saved).toEqual([])
  await rollback({ hard: true }, { ...stores, signer })
  expect(saved).toMatchObject([{ height: 3, round: 0, step: SignStep.precommit }])
  const { validators } = testChain.genesisState(testChain.makeGenesis(keys)).validators
  const index = validators.findIndex(({ address }) => testChain.keyOf(keys, { address } as Validator) === keys[2])
  const vote = commitVote(lastCommit as Commit, index)
  const other = { ...vote, blockId: ZERO_BLOCK_ID, signature: new Uint8Array(0) }
  await expect(signer.signVote(testChain.CHAIN_ID, other)).rejects.toThrow('is signed with other content')
})

test('error: refuses to roll back an empty chain, or stores that do not fit together', async () => {
  const chain = await loadRecordedChain('kvstore-single')
  const empty = createStateStore({}, { db: createMemoryStore() })
  const modules = { blockStore: chain.blockStore, stateStore: empty }
  await expect(rollback({ hard: false }, modules)).rejects.toThrow('no state found')
  const { stateStore } = await stateAt(chain, 5)
  await expect(rollback({ hard: false }, { ...modules, stateStore })).rejects.toThrow(
    `statestore height (5) is not one below or equal to blockstore height (${chain.blockStore.height()})`,
  )
  const gone = { ...chain.blockStore, height: () => 5, loadBlockMeta: () => undefined }
  await expect(rollback({ hard: false }, { stateStore, blockStore: gone })).rejects.toThrow(
    'block at height 4 not found',
  )
})

test('default: indexes all blocks with their responses again', async () => {
  const { blockStore, stateStore } = await loadRecordedChain('kvstore-single')
  const indexed: [number, number][] = []
  const progress: number[] = []
  const index = (block: Block, response: ResponseFinalizeBlock): Promise<void> => {
    indexed.push([block.header.height, response.txResults.length - block.data.txs.length])
    return Promise.resolve()
  }
  const range = reindexRange({ startHeight: 0, endHeight: 0 }, blockStore)
  expect(range).toEqual({ from: 1, to: blockStore.height() })
  await reindex(
    { from: 3, to: 6, onProgress: (height) => progress.push(height) },
    { blockStore, stateStore, indexer: { index } },
  )
  expect(indexed).toEqual([3, 4, 5, 6].map((height) => [height, 0]))
  expect(progress).toEqual([3, 4, 5, 6])
})

test('error: refuses invalid ranges and missing blocks', async () => {
  const { blockStore, stateStore } = await loadRecordedChain('kvstore-single')
  const store = { base: () => 10, height: () => 20 }
  const range = (startHeight: number, endHeight: number) => () => reindexRange({ startHeight, endHeight }, store)
  expect(range(9, 0)).toThrow('height is not available (requested start height: 9, base height: 10)')
  expect(range(21, 0)).toThrow('height is not available (requested start height: 21, store height: 20)')
  expect(range(0, 9)).toThrow('height is not available (requested end height: 9, base height: 10)')
  expect(range(15, 12)).toThrow('invalid request (requested the end height: 12 is less than the start height: 15)')
  expect(range(15, 99)()).toEqual({ from: 15, to: 20 })
  const indexer = { index: () => Promise.resolve() }
  const high = blockStore.height() + 1
  await expect(reindex({ from: high, to: high }, { blockStore, stateStore, indexer })).rejects.toThrow(
    `not able to load block at height ${high} from the blockstore`,
  )
  const bare = createStateStore({}, { db: createMemoryStore() })
  await expect(reindex({ from: 3, to: 3 }, { blockStore, stateStore: bare, indexer })).rejects.toThrow(
    'not able to load ABCI Response at height 3 from the statestore',
  )
})
