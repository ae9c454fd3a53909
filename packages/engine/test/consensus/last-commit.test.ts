import type { Commit, State } from '@org/types'
import { beforeAll, expect, it } from 'vitest'
import { loadLastCommit } from '../../src/consensus/driver/last-commit.ts'
import { createMachine, DEFAULT_MACHINE_OPTIONS, MACHINE_ERRORS } from '../../src/consensus/machine/index.ts'
import { type BlockStore, createBlockStore, createMemoryStore, createStateStore } from '../../src/store/index.ts'
import { dumpOf, storeOf } from '../store/dumps.ts'

const PATH = 'kvstore-single/db-dump.jsonl'

let stored: State
let blockStore: BlockStore
beforeAll(async () => {
  stored = createStateStore({}, { db: await storeOf(dumpOf(PATH, 'state')) }).load() as State
  blockStore = createBlockStore({}, { db: await storeOf(dumpOf(PATH, 'blockstore')) })
})

/**
 * Creates a machine after the last recorded block, as if vote extensions were enabled from height `from` on. The
 * recorded votes have no extensions. Returns the height of the machine's last commit; 0 if it has none.
 */
function begin(from: number, store = blockStore): number {
  const abci = { voteExtensionsEnableHeight: from }
  const chain = { ...stored, consensusParams: { ...stored.consensusParams, abci } }
  const lastCommit = loadLastCommit(chain, store)
  const initial = { chain, lastCommit, lastHeaderAppHash: undefined, publicKey: undefined, time: 0n }
  const { state } = createMachine(DEFAULT_MACHINE_OPTIONS, initial)
  return state.lastCommit?.options.height ?? 0
}

it.each([
  ['never', () => 0],
  ['from the next height on', (last: number) => last + 1],
])('behavior: a commit without extensions is enough if extensions count %s', (_, from) => {
  const { lastBlockHeight } = stored
  expect(begin(from(lastBlockHeight))).toBe(lastBlockHeight)
})

it.each([
  ['from the last height on', (last: number) => last],
  ['from the height before on', (last: number) => last - 1],
])('error: a commit without extensions is refused if extensions count %s', (_, from) => {
  expect(() => begin(from(stored.lastBlockHeight))).toThrow(
    expect.objectContaining({ code: MACHINE_ERRORS.lastCommit }),
  )
})

it('behavior: after a state sync, which brings no block, the commit without extensions is enough to wait for blocks', async () => {
  const empty = createBlockStore({}, { db: createMemoryStore() })
  const { lastBlockHeight } = stored
  await empty.saveSeenCommit(lastBlockHeight, blockStore.loadSeenCommit(lastBlockHeight) as Commit)
  expect(begin(lastBlockHeight, empty)).toBe(lastBlockHeight)
})
