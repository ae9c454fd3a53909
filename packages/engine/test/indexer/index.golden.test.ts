import type { ResponseFinalizeBlock } from '@org/types/abci'
import type { Block } from '@org/types/block'
import { describe, expect, it } from 'vitest'
import { createIndexer } from '../../src/indexer/index.ts'
import { createBlockStore, createMemoryStore, createStateStore } from '../../src/store/index.ts'
import { collect } from '../store/compliance.ts'
import { DUMPS, dumpOf, storeOf, textOf } from '../store/dumps.ts'

/** The blocks of a dump that can be indexed, with what the application answered. */
async function recordedBlocks(path: string): Promise<{ block: Block; response: ResponseFinalizeBlock }[]> {
  const blockStore = createBlockStore({}, { db: await storeOf(dumpOf(path, 'blockstore')) })
  const stateStore = createStateStore({}, { db: await storeOf(dumpOf(path, 'state')) })
  const blocks = []
  for (let height = blockStore.base(); height <= blockStore.height(); height++) {
    const block = blockStore.loadBlock(height)
    if (block !== undefined) blocks.push({ block, response: stateStore.loadFinalizeBlockResponse(height) })
  }
  return blocks
}

describe.each(DUMPS)('index of %s', (path) => {
  it('default: the recorded blocks give the recorded keys and values', async () => {
    const db = createMemoryStore()
    const indexer = createIndexer({}, { db })
    for (const { block, response } of await recordedBlocks(path)) await indexer.index(block, response)
    expect(textOf(await collect(db.iterate()))).toEqual(textOf(dumpOf(path, 'tx_index')))
  })
})
