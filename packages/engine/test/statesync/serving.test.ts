import { createVirtualClock, noopLogger } from '@org/runtime'
import { type RequestQuery, ResponseListSnapshots, ResponseQuery, type Snapshot } from '@org/types/abci'
import { StateSyncMessage } from '@org/types/messages'
import { expect, test } from 'vitest'
import { peerFilters } from '../../src/p2p/filter-peers.ts'
import { createStateSync, STATESYNC_CHANNELS } from '../../src/statesync/index.ts'
import { type ScriptedPeer, scriptedPeer, settle } from '../support/scripted-peer.ts'

const { snapshot: SNAPSHOT, chunk: CHUNK } = STATESYNC_CHANNELS
const snapshot = (height: number, format: number): Snapshot => ({
  height,
  format,
  chunks: 2,
  hash: Uint8Array.of(height, format),
  metadata: Uint8Array.of(7),
})

function open(snapshots: readonly Snapshot[]) {
  const asked: number[] = []
  const clock = createVirtualClock()
  let lists = 0
  const reactor = createStateSync({
    app: {
      listSnapshots: async () => {
        lists++
        return ResponseListSnapshots.create({ snapshots })
      },
      loadSnapshotChunk: async ({ chunk }) => {
        asked.push(chunk)
        return { chunk: chunk < 2 ? Uint8Array.of(chunk, 1, 2) : new Uint8Array(0) }
      },
    },
    clock,
    logger: noopLogger,
  })
  const peer = scriptedPeer('a')
  reactor.addPeer(peer)
  const receive = (channel: number, sum: StateSyncMessage['sum']) =>
    reactor.receive(peer, channel, StateSyncMessage.encode({ sum }))
  return { reactor, peer, receive, asked, clock, lists: () => lists }
}

const sentTo = (peer: ScriptedPeer): StateSyncMessage['sum'][] =>
  peer.sent.map(({ message }) => StateSyncMessage.decode(message).sum)

test('default: the newest ten snapshots are listed, the newest first', async () => {
  const { peer, receive } = open([...Array.from({ length: 12 }, (_, i) => snapshot(i + 1, 1)), snapshot(12, 2)])
  expect(receive(SNAPSHOT, { case: 'snapshotsRequest', value: {} })).toEqual({ type: 'accept' })
  await settle()
  const sent = sentTo(peer).map((sum) =>
    sum?.case === 'snapshotsResponse' ? [sum.value.height, sum.value.format] : [],
  )
  expect(sent.length).toBe(10)
  expect(sent.slice(0, 3)).toEqual([
    [12, 2],
    [12, 1],
    [11, 1],
  ])
})

test('default: chunks are served in order; an absent chunk is reported as missing', async () => {
  const { peer, receive } = open([])
  for (const index of [0, 1, 5]) void receive(CHUNK, { case: 'chunkRequest', value: { height: 3, format: 1, index } })
  await settle()
  expect(sentTo(peer)).toEqual(
    [Uint8Array.of(0, 1, 2), Uint8Array.of(1, 1, 2), new Uint8Array(0)].map((chunk, i) => ({
      case: 'chunkResponse',
      value: { height: 3, format: 1, index: [0, 1, 5][i], chunk, missing: i === 2 },
    })),
  )
})

test('behavior: requests of a peer that reads no answers are dropped when too many wait', async () => {
  const { peer, receive, asked } = open([])
  peer.room = 0
  const verdicts = Array.from({ length: 100 }, (_, index) =>
    receive(CHUNK, { case: 'chunkRequest', value: { height: 3, format: 1, index } }),
  )
  await settle()
  expect(verdicts.filter((verdict) => 'type' in verdict && verdict.type === 'accept').length).toBe(64)
  expect(asked).toEqual([0])
})

test('limit: short answers of the application are spread over time, for each peer', async () => {
  const { reactor, peer, receive, asked, clock, lists } = open([snapshot(1, 1)])
  const chunk = (index: number) => receive(CHUNK, { case: 'chunkRequest', value: { height: 3, format: 1, index } })
  for (let i = 0; i < 3; i++) void receive(SNAPSHOT, { case: 'snapshotsRequest', value: {} })
  for (const index of [5, 6, 0, 1]) void chunk(index)
  await settle()
  expect([lists(), asked]).toEqual([1, []])
  // The reactor pauses after a short answer, separately for each peer. Peer `b` gets its first answer at once.
  const other = scriptedPeer('b')
  reactor.addPeer(other)
  void reactor.receive(other, SNAPSHOT, StateSyncMessage.encode({ sum: { case: 'snapshotsRequest', value: {} } }))
  await settle()
  expect(lists()).toBe(2)
  for (let i = 0; i < 2; i++) {
    clock.advance(100)
    await settle()
  }
  expect([lists(), asked]).toEqual([4, []])
  clock.advance(100)
  await settle()
  expect(asked).toEqual([5])
  clock.advance(100)
  await settle()
  expect(asked).toEqual([5, 6])
  // After a chunk that the application has, there is no pause.
  clock.advance(100)
  await settle()
  expect(asked).toEqual([5, 6, 0, 1])
  void chunk(7)
  void chunk(8)
  await settle()
  reactor.removePeer(peer, undefined)
  reactor.removePeer(other, undefined)
  await settle()
  expect([asked, clock.pending()]).toEqual([[5, 6, 0, 1, 7], 0])
})

test('behavior: answers without a request are ignored; invalid messages are not', () => {
  const { receive, reactor, peer } = open([])
  const value = { height: 3, format: 1, index: 0, chunk: Uint8Array.of(1), missing: false }
  expect(receive(CHUNK, { case: 'chunkResponse', value })).toMatchObject({ type: 'ignore' })
  expect(receive(CHUNK, { case: 'chunkResponse', value: { ...value, missing: true } })).toMatchObject({
    type: 'reject',
  })
  expect(receive(CHUNK, { case: 'chunkRequest', value: { height: 0, format: 1, index: 0 } })).toMatchObject({
    type: 'reject',
  })
  expect(reactor.receive(peer, SNAPSHOT, Uint8Array.of(255))).toMatchObject({ type: 'reject' })
})

test('behavior: the application refuses peers', async () => {
  const paths: string[] = []
  const filters = peerFilters({
    query: async ({ path }: RequestQuery) => {
      paths.push(path)
      return ResponseQuery.create({ code: path.includes('/id/') ? 3 : 0, log: 'no' })
    },
  })
  expect(await filters.filterAddress('1.2.3.4:5')).toBe(undefined)
  expect(await filters.filterId('abc')).toBe('error querying abci app: code 3: no')
  expect(paths).toEqual(['/p2p/filter/addr/1.2.3.4:5', '/p2p/filter/id/abc'])
})

test('behavior: accepts requests only, and no room for snapshots or chunks without a request', () => {
  const { reactor } = open([])
  const longest = { height: Number.MAX_SAFE_INTEGER, format: 2 ** 32 - 1, index: 2 ** 32 - 1 }
  const request = StateSyncMessage.encode({ sum: { case: 'chunkRequest', value: longest } })
  const answer = StateSyncMessage.encode({
    sum: { case: 'chunkResponse', value: { ...longest, chunk: new Uint8Array(2000), missing: false } },
  })
  for (const { receiveMessageCapacity } of reactor.channels) {
    expect(receiveMessageCapacity).toBeGreaterThan(request.length)
    expect(receiveMessageCapacity).toBeLessThan(answer.length)
  }
})

test('limit: a node that joins has room for a snapshot, and for a chunk only of a peer from which it requested a chunk', () => {
  const asked = new Set<string>()
  const accept = (): { readonly type: 'accept' } => ({ type: 'accept' })
  const joining = {
    addSnapshot: accept,
    addChunk: accept,
    removePeer: () => undefined,
    isAsked: (id: string) => asked.has(id),
  }
  const app = {
    listSnapshots: async () => ResponseListSnapshots.create(),
    loadSnapshotChunk: async () => ({ chunk: new Uint8Array(0) }),
  }
  const reactor = createStateSync({ app, joining, clock: createVirtualClock(), logger: noopLogger })
  const roomFor = (peer: string): number[] =>
    reactor.channels.map(({ receiveMessageCapacity: most = 0 }) => (typeof most === 'number' ? most : most(peer)))
  expect(roomFor('a')).toEqual([4_000_000, 1024])
  asked.add('a')
  expect([roomFor('a'), roomFor('b')]).toEqual([
    [4_000_000, 16_000_000],
    [4_000_000, 1024],
  ])
  const peer = scriptedPeer('a')
  reactor.addPeer(peer)
  expect(sentTo(peer)).toEqual([{ case: 'snapshotsRequest', value: {} }])
})

test('behavior: a node that restores a snapshot serves none', async () => {
  const accept = (): { readonly type: 'accept' } => ({ type: 'accept' })
  const joining = { addSnapshot: accept, addChunk: accept, removePeer: () => undefined, isAsked: () => false }
  const reactor = createStateSync({ app: undefined, joining, clock: createVirtualClock(), logger: noopLogger })
  const peer = scriptedPeer('a')
  reactor.addPeer(peer)
  const requests: StateSyncMessage['sum'][] = [
    { case: 'snapshotsRequest', value: {} },
    { case: 'chunkRequest', value: { height: 3, format: 1, index: 0 } },
  ]
  for (const sum of requests) {
    const channel = sum?.case === 'chunkRequest' ? CHUNK : SNAPSHOT
    const verdict = reactor.receive(peer, channel, StateSyncMessage.encode({ sum }))
    expect(verdict).toMatchObject({ type: 'ignore', code: 'STATESYNC_NOT_SERVING' })
  }
  await settle()
  // The peer received only the request for snapshots that the node sends to each new peer.
  expect(sentTo(peer)).toEqual([{ case: 'snapshotsRequest', value: {} }])
})

test('behavior: the bytes of each chunk that is sent or taken are reported', async () => {
  const transferred: number[] = []
  const onTransfer = (bytes: number): void => void transferred.push(bytes)
  const app = {
    listSnapshots: async () => ResponseListSnapshots.create(),
    loadSnapshotChunk: async () => ({ chunk: new Uint8Array(300) }),
  }
  const server = createStateSync({ app, onTransfer, clock: createVirtualClock(), logger: noopLogger })
  const peer = scriptedPeer('a')
  server.addPeer(peer)
  const place = { height: 3, format: 1, index: 0 }
  void server.receive(peer, CHUNK, StateSyncMessage.encode({ sum: { case: 'chunkRequest', value: place } }))
  await settle()
  expect(transferred).toEqual([300])

  const answers = [{ type: 'accept' }, { type: 'ignore', reason: 'it has come before' }] as const
  let calls = 0
  const joining = {
    addSnapshot: () => answers[0],
    addChunk: () => answers[calls++] ?? answers[1],
    removePeer: () => undefined,
    isAsked: () => true,
  }
  const joiner = createStateSync({
    app: undefined,
    joining,
    onTransfer,
    clock: createVirtualClock(),
    logger: noopLogger,
  })
  joiner.addPeer(peer)
  const value = { ...place, chunk: new Uint8Array(50), missing: false }
  for (let i = 0; i < 2; i++)
    void joiner.receive(peer, CHUNK, StateSyncMessage.encode({ sum: { case: 'chunkResponse', value } }))
  expect(transferred).toEqual([300, 50])
})
