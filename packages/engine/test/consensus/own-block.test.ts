import { Block, makeBlockParts } from '@org/types'
import { expect, test } from 'vitest'
import { makeGenesisState } from '../../src/execution/index.ts'
import * as made from '../execution/made-chain.ts'

test('behavior: a block that this node made equals the block that is decoded from its parts', () => {
  const keys = made.makeKeys(3)
  const state = makeGenesisState(made.makeGenesis(keys))
  const { block } = made.makeBlockOn(state, keys, { txs: [Uint8Array.of(1), new Uint8Array(70_000), Uint8Array.of()] })
  expect(Block.decode(makeBlockParts(block).parts.bytes)).toEqual(block)
})
