import { Block, makeBlockParts } from '@org/types'
import { expect, test } from 'vitest'
import { makeGenesisState } from '../../src/execution/index.ts'
import * as testChain from '../execution/test-chain.ts'

test('behavior: a block that this node made equals the block that is decoded from its parts', () => {
  const keys = testChain.makeKeys(3)
  const state = makeGenesisState(testChain.makeGenesis(keys))
  const { block } = testChain.makeBlockOn(state, keys, {
    txs: [Uint8Array.of(1), new Uint8Array(70_000), Uint8Array.of()],
  })
  expect(Block.decode(makeBlockParts(block).parts.bytes)).toEqual(block)
})
