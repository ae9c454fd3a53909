import { noopLogger } from '@org/runtime'
import { expect, test } from 'vitest'
import type { KeyValueStorage } from '../store/index.ts'
import { createMemoryArchive } from './memory-archive.ts'
import { createSnapshotTaker } from './taker.ts'

/** Creates a snapshot taker with an empty storage. The storage counts how often its pairs are read. */
function createCounted() {
  let reads = 0
  async function* entries(): AsyncGenerator<never> {
    reads++
    yield* []
  }
  const store = { entries } as Partial<KeyValueStorage> as KeyValueStorage
  const taker = createSnapshotTaker(
    { interval: 1, keep: 2, chunkBytes: 1024, maxBytes: 1024 },
    { store, archive: createMemoryArchive(1024), rules: () => 'v0.38', logger: noopLogger },
  )
  return { taker, reads: () => reads }
}

test('default: a request for the list begins a snapshot, also after clear', async () => {
  const { taker, reads } = createCounted()
  await taker.list(1)
  await taker.clear()
  await taker.list(2)
  expect(reads()).toBe(2)
})

test('behavior: after stop, no snapshot begins, also if clear is called after it', async () => {
  const { taker, reads } = createCounted()
  await taker.stop()
  await taker.list(1)
  await taker.clear()
  await taker.list(2)
  expect(reads()).toBe(0)
})
