import { ApplySnapshotChunkResult, OfferSnapshotResult, RequestOfferSnapshot, type Snapshot } from '@org/types/abci'
import { concatList } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { expect, test } from 'vitest'
import { createKvStore, createMemoryStorage, type KvStore } from '../src/index.ts'
import { Metadata, SNAPSHOT_FORMAT } from '../src/snapshots/format.ts'
import { encodePairHead } from '../src/snapshots/pair-head.ts'
import { createPairReader } from '../src/snapshots/pair-reader.ts'
import { commitBlock, storedUnder, text } from './helpers.ts'

type Pair = readonly [key: string, value: string | Uint8Array]

const META: Pair = ['halleyMeta', '{"rules":"document","keyTypes":["ed25519"]}']
const STATE: Pair = ['stateKey', '{"size":1,"height":7}']
const APP_HASH = Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0)

function contentOf(pairs: readonly Pair[]): Uint8Array {
  const encoded = pairs.map(([key, value]) => [text(key), typeof value === 'string' ? text(value) : value] as const)
  return concatList(encoded.flatMap(([key, value]) => [encodePairHead(key, value), key, value]))
}

/** Returns a snapshot with correct hashes. A peer can make such a snapshot from any bytes. */
function snapshotOf(chunks: readonly Uint8Array[], changes: Partial<Metadata> = {}): Snapshot {
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const metadata = Metadata.encode({ rules: 'document', size, chunkHashes: chunks.map(sha256), ...changes })
  return { height: 7, format: SNAPSHOT_FORMAT, chunks: chunks.length, hash: sha256(metadata), metadata }
}

async function restored(app: KvStore, chunks: readonly Uint8Array[], snapshot = snapshotOf(chunks)) {
  const offered = await app.offerSnapshot(RequestOfferSnapshot.create({ snapshot, appHash: APP_HASH }))
  if (offered.result !== OfferSnapshotResult.accept) return 'refused'
  let last: ApplySnapshotChunkResult | undefined
  for (const [index, chunk] of chunks.entries()) {
    last = (await app.applySnapshotChunk({ index, chunk, sender: 'mallory' })).result
  }
  return last
}

async function withState(): Promise<KvStore> {
  const app = createKvStore({ rules: 'document' })
  await commitBlock(app, 1, ['mine=yes'])
  return app
}

test('default: pairs that a peer encodes by hand become the state', async () => {
  const app = await withState()
  expect(await restored(app, [contentOf([META, ['kvPairKey:a', 'b'], STATE])])).toBe(ApplySnapshotChunkResult.accept)
  expect(await storedUnder(app, 'a')).toBe('b')
  expect(await storedUnder(app, 'mine')).toBeUndefined()
})

const valid = contentOf([META, STATE])
test.each<readonly [string, readonly Uint8Array[]]>([
  ['keys in the wrong order', [contentOf([META, ['kvPairKey:b', ''], ['kvPairKey:a', ''], STATE])]],
  ['a key twice', [contentOf([META, ['kvPairKey:a', ''], ['kvPairKey:a', ''], STATE])]],
  ['a key that no state has', [contentOf([META, ['other', ''], STATE])]],
  ['no record of the state', [contentOf([META])]],
  ['no record of the rules', [contentOf([STATE])]],
  ['other rules', [contentOf([['halleyMeta', '{"rules":"v0.38","keyTypes":[]}'], STATE])]],
  ['unreadable rules', [contentOf([['halleyMeta', '[]'], STATE])]],
  ['another height', [contentOf([META, ['stateKey', '{"size":1,"height":8}']])]],
  ['another size', [contentOf([META, ['stateKey', '{"size":2,"height":7}']])]],
  ['a large record', [contentOf([META, ['stateKey', `{"size":1,"height":7}${' '.repeat(5000)}`]])]],
  ['a validator that is no message', [contentOf([META, STATE, ['val=x', 'yyyyy']])]],
  ['a validator without a key', [contentOf([META, STATE, ['val=', '']])]],
  ['a pair that does not end', [valid, Uint8Array.of(0, 0, 0)]],
  ['a pair that announces 4 GiB', [valid, new Uint8Array(8).fill(0xff), new Uint8Array(20)]],
  ['an empty chunk at the end', [valid, new Uint8Array(0)]],
])('error: a content with %s is rejected, and the state stays', async (_, chunks) => {
  const app = await withState()
  expect([ApplySnapshotChunkResult.rejectSnapshot, ApplySnapshotChunkResult.abort, 'refused']).toContain(
    await restored(app, chunks),
  )
  expect(await storedUnder(app, 'mine')).toBe('yes')
  // After the rejected snapshot, the application still accepts a valid one.
  expect(await restored(app, [valid])).toBe(ApplySnapshotChunkResult.accept)
})

test.each<readonly [string, Partial<Metadata>]>([
  ['a hash of another size', { chunkHashes: [new Uint8Array(31)] }],
  ['no chunks', { chunkHashes: [] }],
  ['a size above the limit', { size: 2 ** 40 }],
  ['fewer bytes than chunks', { size: 0 }],
  ['unknown rules', { rules: 'x' }],
])('error: metadata with %s is refused', async (_, changes) => {
  expect(await restored(await withState(), [valid], snapshotOf([valid], changes))).toBe('refused')
})

test('error: chunks that are larger than announced are rejected', async () => {
  const { rejectSnapshot } = ApplySnapshotChunkResult
  expect(await restored(await withState(), [valid], snapshotOf([valid], { size: 3 }))).toBe(rejectSnapshot)
  expect(await restored(await withState(), [valid], snapshotOf([valid], { size: 3000 }))).toBe(rejectSnapshot)
})

test('error: a state in memory refuses a snapshot above its limit', async () => {
  const app = createKvStore({ rules: 'document', store: createMemoryStorage({ maxReplacementBytes: 1000 }) })
  await commitBlock(app, 1, ['mine=yes'])
  const pairs: readonly Pair[] = Array.from({ length: 10 }, (_, i) => [`kvPairKey:${i}`, ''])
  expect(await restored(app, [contentOf([META, ...pairs, STATE])])).toBe(ApplySnapshotChunkResult.rejectSnapshot)
  expect(await storedUnder(app, 'mine')).toBe('yes')
})

test('default: a reader that gets one byte at a time holds only the pair that has begun', () => {
  const content = contentOf([['kvPairKey:a', 'b'], STATE])
  const reader = createPairReader()
  const found: string[] = []
  for (const byte of content) {
    for (const { key } of reader.push(Uint8Array.of(byte))) found.push(new TextDecoder().decode(key))
  }
  expect(found).toEqual(['kvPairKey:a', 'stateKey'])
  expect(reader.isComplete()).toBe(true)
})

test('error: a disk that refuses a chunk ends the restore with the next chunk, or with the last one', async () => {
  const { accept, abort } = ApplySnapshotChunkResult
  const chunks = [contentOf([META, ['kvPairKey:a', 'b']]), contentOf([STATE])]
  for (const [failing, wanted] of [
    [0, [accept, abort]],
    [1, [accept, abort]],
    [2, [accept, accept]],
  ] as const) {
    const memory = createMemoryStorage()
    const store = {
      ...memory,
      replace: async () => {
        const next = await memory.replace()
        let writes = 0
        return {
          ...next,
          write: (ops: Parameters<typeof next.write>[0]) =>
            writes++ === failing ? Promise.reject(new Error('no space left on device')) : next.write(ops),
        }
      },
    }
    const app = createKvStore({ rules: 'document', store })
    const snapshot = snapshotOf(chunks)
    await app.offerSnapshot(RequestOfferSnapshot.create({ snapshot, appHash: APP_HASH }))
    const results: unknown[] = []
    for (const [index, chunk] of chunks.entries())
      results.push((await app.applySnapshotChunk({ index, chunk, sender: 'a' })).result)
    expect(results, `write ${failing}`).toEqual(wanted)
    expect(await storedUnder(app, 'a')).toBe(wanted[1] === accept ? 'b' : undefined)
  }
})
