import { createSeededRandom } from '@org/runtime'
import { BitSet, makePartSet, partSetFromHeader } from '@org/types'
import { ConsensusMessage } from '@org/types/messages'
import { expect, test } from 'vitest'
import { nextData } from './next-data.ts'
import { PeerRoundState } from './peer-round-state.ts'
import type { View } from './ports.ts'

test('behavior: a peer that waits for the decided block gets its parts from a validator that locked this block', () => {
  const decided = makePartSet(new Uint8Array(100_000).fill(1))
  const other = makePartSet(new Uint8Array(100_000).fill(2))
  const peer = new PeerRoundState()
  const step = { height: 5, round: 0, step: 8, secondsSinceStartTime: 1, lastCommitRound: 0 }
  peer.applyNewRoundStep(step as never, 0n)
  peer.applyNewValidBlock({
    ...{ height: 5, round: 0, blockPartSetHeader: decided.header, isCommit: true },
    blockParts: new BitSet(decided.header.total).toWords(),
  })
  const next = (view: object, locked: object | undefined): unknown => {
    const sending = nextData(peer, {
      view: () => ({ height: 5, round: 1, proposal: undefined, validators: {}, locked, ...view }) as unknown as View,
      blockStore: { base: () => 1, loadBlockMeta: () => undefined } as never,
      random: createSeededRandom(1),
      heldMessages: { withoutHeld: (_key, indexes) => indexes },
    })
    sending?.sent()
    return sending && ConsensusMessage.decode(sending.encode()).sum?.case
  }
  const lock = { parts: decided, round: 0 }
  expect(next({}, undefined)).toBe(undefined)
  expect(next({ incoming: { parts: partSetFromHeader(other.header) } }, lock)).toBe('blockPart')
  expect(next({}, lock)).toBe('blockPart')
  // The peer has all parts now.
  expect(next({}, lock)).toBe(undefined)
  expect(next({ height: 6 }, lock)).not.toBe('blockPart')
})
