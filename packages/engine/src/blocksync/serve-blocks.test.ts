import { noopLogger } from '@org/runtime'
import { Block, ExtendedCommit, makeBlockMeta, makeBlockParts } from '@org/types'
import { BlockSyncMessage } from '@org/types/messages'
import { expect, test } from 'vitest'
import { scriptedPeer, settle } from '../../test/support/scripted-peer.ts'
import { blockResponse, createBlockServer, type ServedBlocks } from './serve-blocks.ts'

const block = Block.create({})
const { parts } = makeBlockParts(block)
const meta = makeBlockMeta(block, parts)

/** A store with one block, of height 3. */
function stored(changes: Partial<ServedBlocks['blockStore']> = {}, extended = false): ServedBlocks {
  return {
    blockStore: {
      base: () => 3,
      height: () => 3,
      loadBlockMeta: (height) => (height === 3 ? meta : undefined),
      loadBlockPart: (_height, index) => parts.part(index),
      loadExtendedCommit: () => undefined,
      ...changes,
    },
    extensionsEnabled: () => extended,
    logger: noopLogger,
  }
}
const answer = (blocks: ServedBlocks, height: number): BlockSyncMessage['sum'] =>
  BlockSyncMessage.decode(blockResponse(blocks, height)).sum
const NONE = { case: 'noBlockResponse', value: { height: 3 } }

test('default: serves a block as it is stored, and reports a missing block', () => {
  expect(answer(stored(), 3)).toMatchObject({ case: 'blockResponse', value: { extCommit: undefined } })
  expect(answer(stored(), 4)).toEqual({ case: 'noBlockResponse', value: { height: 4 } })
})

test('behavior: does not serve a block without its parts or without its extended commit', () => {
  expect(answer(stored({ loadBlockPart: () => undefined }), 3)).toEqual(NONE)
  expect(answer(stored({}, true), 3)).toEqual(NONE)
  const extCommit = ExtendedCommit.create({ height: 3 })
  expect(answer(stored({ loadExtendedCommit: () => extCommit }, true), 3)).toMatchObject({
    case: 'blockResponse',
    value: { extCommit: { height: 3 } },
  })
})

test('behavior: the server reports the size of each answer', async () => {
  const peer = scriptedPeer('one')
  const served: number[] = []
  const server = createBlockServer(
    peer,
    { maxQueuedRequests: 3 },
    { ...stored(), onServed: (size) => served.push(size) },
  )
  for (const height of [3, 4]) server.request(height)
  await settle()
  expect(served).toEqual(peer.sent.map(({ message }) => message.length))
  expect(served.length).toBe(2)
})

test('behavior: a bounded number of requests waits for room, and they are answered in order', async () => {
  const peer = scriptedPeer('one')
  peer.room = 0
  const server = createBlockServer(peer, { maxQueuedRequests: 3 }, stored())
  // The server has already begun to answer the first request, so only the other three requests wait.
  expect([4, 5, 6, 7, 8].map((height) => server.request(height))).toEqual([true, true, true, true, false])
  expect(server.size()).toBe(3)
  peer.drain(10)
  await settle()
  const heights = peer.sent.map(({ message }) => BlockSyncMessage.decode(message).sum?.value)
  expect(heights).toEqual([4, 5, 6, 7].map((height) => ({ height })))
  expect(server.request(9)).toBe(true)
})
