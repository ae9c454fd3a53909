import { STORE_DUMPS } from '@org/golden'
import type { Block } from '@org/types'
import type { ResponseFinalizeBlock } from '@org/types/abci'
import { describe, expect, it } from 'vitest'
import { createIndexer } from '../../src/indexer/index.ts'
import { createBlockStore, createMemoryStore, createStateStore } from '../../src/store/index.ts'
import { collect } from '../store/compliance.ts'
import { dumpOf, storeOf, textOf } from '../store/dumps.ts'

/**
 * Returns the blocks of a recorded database, each with the application's response. Blocks that cannot be loaded are
 * left out.
 */
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

/**
 * For each recording, the first height that the node indexed after each restart. The index gives each event a serial
 * number, and these numbers begin at 1 again after a restart.
 */
const RESTARTS: Readonly<Record<string, readonly number[]>> = {
  'kvstore-single/db-dump.jsonl': [68],
  'kvstore-four/db-dump-node3.jsonl': [12, 30],
}

const PRUNED = 'e2e-voteext/db-dump-node1.jsonl'

describe.each(STORE_DUMPS)('index of %s', (path) => {
  it('default: the recorded blocks give the recorded keys and values', async () => {
    const db = createMemoryStore()
    let indexer = createIndexer({}, { db })
    for (const { block, response } of await recordedBlocks(path)) {
      if (RESTARTS[path]?.includes(block.header.height)) indexer = createIndexer({}, { db })
      await indexer.index(block, response)
    }
    const recorded = textOf(dumpOf(path, 'tx_index'))
    const indexed = textOf(await collect(db.iterate()))
    // The recorded node kept the index entries of the blocks that it pruned, so the recording has more entries.
    if (path === PRUNED) expect(indexed.filter((line) => !recorded.includes(line))).toEqual([])
    else expect(indexed).toEqual(recorded)
  })
})
