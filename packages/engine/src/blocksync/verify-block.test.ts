import { isCodedError } from '@org/runtime'
import { type Block, type Commit, ZERO_BLOCK_ID } from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { beforeAll, expect, test } from 'vitest'
import { loadRecordedChain, type RecordedChain } from '../../test/execution/recorded-chain.ts'
import { POOLED_SIGNATURES } from '../signatures/index.ts'
import { BLOCKSYNC_FAULTS } from './faults.ts'
import type { PooledBlock } from './pool/index.ts'
import { beginVerification } from './verify-block.ts'

const HEIGHT = 5
let chain: RecordedChain

beforeAll(async () => {
  chain = await loadRecordedChain('kvstore-four', 'db-dump-node0.jsonl')
})

const pooled = (block: Block, from: string): PooledBlock => ({
  ...{ block, from },
  extCommit: undefined,
  size: 1000,
  blockSize: 1000,
  heap: 1000,
})

/** Verifies block 5 by block 6. Returns `none` if both are good, otherwise the block that is bad. */
async function badBlock(change: (first: Block, second: Block) => readonly [Block, Block]): Promise<string> {
  const [first, second] = change(chain.block(HEIGHT).block, chain.block(HEIGHT + 1).block)
  const given = { first: pooled(first, 'first'), second: pooled(second, 'second') }
  const validators = chain.stateStore.loadValidators(HEIGHT)
  const context = { chainId: chain.genesis.chainId, findInvalid: POOLED_SIGNATURES.findInvalid }
  const outcome = await beginVerification({ ...given, validators }, context).outcome
  if (!(outcome instanceof Error)) return 'none'
  return isCodedError(outcome, BLOCKSYNC_FAULTS.lastCommit) ? 'second' : 'first'
}

const withCommit = (block: Block, change: (commit: Commit) => Partial<Commit>): Block => {
  const lastCommit = block.lastCommit as Commit
  return { ...block, lastCommit: { ...lastCommit, ...change(lastCommit) } }
}
const unsigned = ({ signatures }: Commit): Partial<Commit> => ({
  signatures: signatures.map((entry) => ({ ...entry, signature: new Uint8Array(64) })),
})
const OTHER_ID = {
  hash: new Uint8Array(32).fill(1),
  partSetHeader: { total: 1, hash: new Uint8Array(32).fill(2) },
}

test('default: a block is verified by the last commit of its successor', async () => {
  expect(await badBlock((first, second) => [first, second])).toBe('none')
})

test('error: if two blocks do not fit together, only the bad one is named', async () => {
  const withTx = (block: Block): Block => ({ ...block, data: { txs: [...block.data.txs, utf8ToBytes('more=1')] } })
  const later = (block: Block): Block => ({ ...block, header: { ...block.header, time: block.header.time + 1n } })
  expect(await badBlock((first, second) => [withTx(first), second])).toBe('first')
  expect(await badBlock((first, second) => [later(first), second])).toBe('first')
  expect(await badBlock((first, second) => [first, withCommit(second, unsigned)])).toBe('second')
  // The commit names another block, but no validator signed it.
  for (const blockId of [OTHER_ID, ZERO_BLOCK_ID])
    expect(await badBlock((first, second) => [first, withCommit(second, () => ({ blockId }))])).toBe('second')
  // Both blocks are bad. The last commit in the second block proves nothing about the first block, so only the second
  // block is named. Block sync later verifies the first block again, with a new second block.
  expect(await badBlock((first, second) => [later(first), withCommit(second, unsigned)])).toBe('second')
})
