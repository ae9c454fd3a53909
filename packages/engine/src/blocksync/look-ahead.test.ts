import { Block, EMPTY_VALIDATOR_SET } from '@org/types'
import { expect, test } from 'vitest'
import { createLookAhead, type Pair, pairAt } from './look-ahead.ts'
import type { PooledBlock } from './pool/index.ts'

const blockAt = (height: number, size = 1000): PooledBlock => {
  const empty = Block.create({})
  return {
    block: { ...empty, header: { ...empty.header, height } },
    extCommit: undefined,
    size,
    blockSize: size,
    heap: size,
    from: 'a',
  }
}

/**
 * Opens a look-ahead over a pool of these blocks. `begun` returns the number of verifications that the look-ahead
 * began.
 */
function open(blocks: PooledBlock[]) {
  const pool = { peek: (at: number) => blocks[at] }
  let begun = 0
  const ahead = createLookAhead(pool, () => {
    begun++
    return { chainId: 'test', findInvalid: () => Promise.resolve(-1) }
  })
  return { blocks, ahead, first: () => pairAt(pool, 0) as Pair, begun: () => begun }
}

const OTHERS = { ...EMPTY_VALIDATOR_SET, validators: [] }
const { validators } = EMPTY_VALIDATOR_SET
const CHANGED = {
  ...EMPTY_VALIDATOR_SET,
  validators: [
    ...validators,
    {
      address: new Uint8Array(20),
      pubKey: { type: 'ed25519', bytes: new Uint8Array(32) },
      votingPower: 1n,
      proposerPriority: 0n,
    } as const,
  ],
}

test('default: verification begins for three blocks ahead, once for each block, and results come in order', () => {
  const { blocks, ahead, first, begun } = open([1, 2, 3, 4, 5].map((height) => blockAt(height)))
  ahead.begin(EMPTY_VALIDATOR_SET)
  ahead.begin(EMPTY_VALIDATOR_SET)
  expect(begun()).toBe(3)
  // `OTHERS` is not the object that `begin` got, but both objects have the same validators. So the function
  // `nextVerification` returns the verification that `begin` began.
  expect(ahead.nextVerification(first(), OTHERS)).toMatchObject(first())
  blocks.shift()
  expect(begun()).toBe(3)
  ahead.begin(EMPTY_VALIDATOR_SET)
  // The verifications of blocks 2 and 3 have begun already, so only the verification of block 4 is new.
  expect(begun()).toBe(4)
})

test('behavior: a result for another block or other validators is not used', () => {
  const { blocks, ahead, first, begun } = open([1, 2, 3, 4, 5].map((height) => blockAt(height)))
  ahead.begin(EMPTY_VALIDATOR_SET)
  blocks[2] = blockAt(3)
  // Block 3 was replaced. It belongs to two pairs: it is the second block of one pair, and the first block of the next
  // pair. So two verifications begin again.
  ahead.begin(EMPTY_VALIDATOR_SET)
  expect(begun()).toBe(5)
  ahead.nextVerification(first(), CHANGED)
  blocks.shift()
  expect(begun()).toBe(6)
  ahead.clear()
  expect(ahead.nextVerification(first(), EMPTY_VALIDATOR_SET)).toMatchObject(first())
  expect(begun()).toBe(7)
})

test('behavior: fewer large blocks are verified ahead, but at least one', () => {
  const { ahead, begun } = open([1, 2, 3, 4, 5].map((height) => blockAt(height, 3_000_000)))
  ahead.begin(EMPTY_VALIDATOR_SET)
  expect(begun()).toBe(1)
})
