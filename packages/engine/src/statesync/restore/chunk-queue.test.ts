import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVirtualClock, nextTurn } from '@org/runtime'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Files, NODE_FILES } from '../../files/index.ts'
import { createChunkFolder } from './chunk-folder.ts'
import { createChunkQueue } from './chunk-queue.ts'
import { RESTORE_ERRORS } from './errors.ts'

let parent = ''
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'halley-chunks-'))
  return () => rmSync(parent, { recursive: true })
})

const WAIT = 1000
/**
 * Each chunk in these tests has one byte. So each chunk extends the time limit for all chunks by 100 ms: 90 ms for the
 * chunk, and 10 ms for its byte.
 */
const PACE = { chunksAhead: 100, chunkWaitMs: WAIT, minChunkRate: 100, msPerChunk: 90 }

interface Setup {
  readonly maxStoredBytes?: number
  readonly maxChunkBytes?: number
  readonly chunksAhead?: number
  readonly files?: Files
}

function openQueue(chunks: number, { files = NODE_FILES, ...setup }: Setup = {}) {
  const path = join(parent, 'chunks')
  const folder = createChunkFolder(path, files)
  folder.open()
  const clock = createVirtualClock()
  let opened = 0
  const onOpen = (): void => void opened++
  const limits = { ...PACE, maxChunkBytes: 10, maxStoredBytes: 1000, ...setup }
  const queue = createChunkQueue(chunks, limits, { folder, clock, onOpen })
  const request = (count: number): readonly (number | undefined)[] => Array.from({ length: count }, queue.allocate)
  const add = (index: number, sender = 'a', length = 1): boolean =>
    queue.add({ index, chunk: new Uint8Array(length).fill(index), sender })
  /**
   * Takes `count` chunks, and returns their indexes. For a result without a chunk, it returns the type of the result.
   */
  const take = async (count: number): Promise<readonly (number | string)[]> => {
    const taken: (number | string)[] = []
    for (let i = 0; i < count; i++) {
      const next = await queue.next()
      taken.push(next.type === 'chunk' ? next.value.index : next.type)
    }
    return taken
  }
  return {
    queue,
    folder,
    clock,
    path,
    request,
    add,
    take,
    opened: () => opened,
    stored: () => readdirSync(path).sort(),
  }
}

describe('order', () => {
  test('default: chunks come in any order, and are taken in the order of their indexes', async () => {
    const { queue, request, add, take } = openQueue(3)
    expect(request(4)).toEqual([0, 1, 2, undefined])
    for (const index of [2, 0, 1]) expect(add(index, `peer ${index}`)).toBe(true)
    const first = await queue.next()
    expect(first).toMatchObject({ type: 'chunk', value: { index: 0, sender: 'peer 0' } })
    expect(first.type === 'chunk' && [...first.value.chunk]).toEqual([0])
    expect(await take(3)).toEqual([1, 2, 'done'])
    expect(queue.counts()).toEqual({ taken: 3, received: 3, storedBytes: 3 })
  })

  test('behavior: a caller waits for the next chunk, not for later ones', async () => {
    const { queue, request, add } = openQueue(2)
    request(2)
    const next = queue.next()
    add(1)
    await nextTurn()
    add(0)
    expect(await next).toMatchObject({ value: { index: 0 } })
  })

  test('behavior: duplicates, and chunks that were never requested, are not stored', async () => {
    const { request, add, take, stored } = openQueue(3)
    request(1)
    expect([add(0), add(0), add(1), add(3), add(2 ** 32 - 1)]).toEqual([true, false, false, false, false])
    expect(await take(1)).toEqual([0])
    expect([add(0), stored()]).toEqual([false, ['chunk-0']])
  })

  test('limit: chunks are requested ahead of the application, two more for each that it takes', async () => {
    const { queue, request, add, take } = openQueue(20, { chunksAhead: 4 })
    expect(request(5)).toEqual([0, 1, 2, 3, undefined])
    for (const index of [3, 2, 1]) add(index)
    expect(request(1)).toEqual([undefined])
    add(0)
    await take(1)
    expect(request(3)).toEqual([4, 5, undefined])
    await take(3)
    expect(request(7)).toEqual([6, 7, 8, 9, 10, 11, undefined])
    // A chunk that must be taken again is requested immediately, even while the queue allows no request of a new chunk.
    queue.discard(0)
    expect(request(2)).toEqual([0, undefined])
  })

  test('behavior: without the next chunk, the wait ends', async () => {
    const { queue, request, add, clock } = openQueue(2)
    request(2)
    add(1)
    const next = queue.next()
    await nextTurn()
    clock.advance(WAIT)
    expect(await next).toEqual({ type: 'timeout' })
    expect(clock.pending()).toBe(0)
  })

  test('limit: chunks that come just before the time for one chunk ends do not hold the snapshot up for ever', async () => {
    const { queue, request, add, clock } = openQueue(100)
    request(100)
    const until = async (chunk: number, ms: number): Promise<string> => {
      const next = queue.next()
      await nextTurn()
      clock.advance(ms)
      add(chunk)
      return (await next).type
    }
    // Each chunk extends the time limit by 100 ms. So chunks that arrive every 100 ms are in time.
    for (let chunk = 0; chunk < 50; chunk++) expect(await until(chunk, 100)).toBe('chunk')
    // The 50 chunks before have used as much time as they added, so 1000 ms are left. Chunk 50 arrives after 800 ms,
    // and extends the time limit by 100 ms. So 300 ms are left for chunk 51: 1000 - 800 + 100. Chunk 51 would take 800
    // ms, so it is too late.
    expect([await until(50, 800), await until(51, 800)]).toEqual(['chunk', 'timeout'])
  })

  test('behavior: a stopped queue ends the wait', async () => {
    const { queue, request, clock } = openQueue(1)
    request(1)
    const next = queue.next()
    queue.stop()
    expect([await next, queue.allocate(), clock.pending()]).toEqual([{ type: 'stopped' }, undefined, 0])
    queue.stop(new Error('a second stop'))
    expect([queue.signal.aborted, await queue.next()]).toEqual([true, { type: 'stopped' }])
    const failing = openQueue(1).queue
    failing.stop(new Error('disk'))
    await expect(failing.next()).rejects.toThrow('disk')
  })
})

describe('again', () => {
  test('default: a discarded chunk is requested again, and taken again', async () => {
    const { queue, request, add, take, stored } = openQueue(3)
    request(3)
    for (const index of [0, 1, 2]) add(index)
    expect(await take(2)).toEqual([0, 1])
    queue.discard(0)
    expect([stored(), request(2)]).toEqual([
      ['chunk-1', 'chunk-2'],
      [0, undefined],
    ])
    expect(add(0)).toBe(true)
    expect(await take(3)).toEqual([0, 2, 'done'])
  })

  test('behavior: a chunk that is on its way, or does not exist, is not discarded', () => {
    const { queue, request, opened } = openQueue(2)
    request(1)
    for (const index of [0, 1, 2, 2 ** 32 - 1]) queue.discard(index)
    expect([request(2), opened()]).toEqual([[1, undefined], 0])
  })

  test('behavior: chunks of a sender are discarded unless they were taken', async () => {
    const { queue, request, add, take } = openQueue(5)
    request(5)
    for (const [index, sender] of ['a', 'b', 'a', 'b', 'a'].entries()) add(index, sender)
    expect(await take(2)).toEqual([0, 1])
    queue.discardFrom(new Set(['a']))
    expect(request(3)).toEqual([2, 4, undefined])
    queue.discardFrom(new Set(['another peer']))
  })

  test('behavior: a retry takes stored chunks again, without another request', async () => {
    const { queue, request, add, take } = openQueue(3)
    request(3)
    for (const index of [0, 1, 2]) add(index)
    expect(await take(2)).toEqual([0, 1])
    queue.retry(1)
    expect(await take(1)).toEqual([1])
    queue.retryAll()
    expect(queue.counts().taken).toBe(0)
    expect(await take(4)).toEqual([0, 1, 2, 'done'])
    expect(request(1)).toEqual([undefined])
  })
})

describe('disk', () => {
  test('limit: no more chunks are requested than the disk may hold; taken chunks make room', async () => {
    const { queue, request, add, take, stored } = openQueue(100, { maxStoredBytes: 50, maxChunkBytes: 10 })
    expect(request(6)).toEqual([0, 1, 2, 3, 4, undefined])
    for (let index = 0; index < 5; index++) add(index, 'a', 10)
    expect(request(1)).toEqual([undefined])
    expect(await take(2)).toEqual([0, 1])
    expect(request(3)).toEqual([5, 6, undefined])
    expect([stored(), queue.counts().storedBytes]).toEqual([['chunk-2', 'chunk-3', 'chunk-4'], 30])
    // Chunks 0 and 1 were taken, and their files were removed. So a retry of the snapshot requests them again.
    for (const index of [5, 6]) add(index, 'a', 10)
    queue.retryAll()
    expect(request(1)).toEqual([0])
  })

  test('limit: the next chunk is requested although the disk is full of later ones', async () => {
    const { queue, request, add, take } = openQueue(4, { maxStoredBytes: 30, maxChunkBytes: 10 })
    request(3)
    for (const index of [0, 1, 2]) add(index, 'a', 10)
    expect(await take(1)).toEqual([0])
    expect(request(1)).toEqual([3])
    add(3, 'a', 10)
    // The file of chunk 0 was removed. The files of chunks 1, 2 and 3 take all bytes that the queue may store
    // (`maxStoredBytes`). These three chunks cannot be taken before chunk 0. So the queue must still request chunk 0.
    queue.retryAll()
    expect([queue.counts().storedBytes, request(2)]).toEqual([30, [0, undefined]])
    add(0, 'a', 10)
    expect(await take(5)).toEqual([0, 1, 2, 3, 'done'])
  })

  test('error: a full disk is one coded error that says what to do, and leaves no incomplete file', async () => {
    const full: Files = {
      ...NODE_FILES,
      open: (path, mode) => {
        const file = NODE_FILES.open(path, mode)
        let left = 3
        const write = (parts: readonly Uint8Array[]): number => {
          if (left === 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
          const written = file.write(parts.map((part) => part.subarray(0, left)))
          left -= written
          return written
        }
        return { ...file, write }
      },
    }
    const { request, add, stored, path } = openQueue(2, { files: full })
    request(2)
    expect(add(0, 'a', 3)).toBe(true)
    const failure = { code: RESTORE_ERRORS.folder, message: expect.stringMatching(/ENOSPC.*free disk space.*temp_dir/) }
    expect(() => add(1, 'a', 8)).toThrow(expect.objectContaining({ ...failure, data: { folder: path } }))
    expect(stored()).toEqual(['chunk-0'])
  })

  test('behavior: a chunk whose file another program removed is requested again', async () => {
    const { queue, request, add, path } = openQueue(2)
    request(2)
    add(0)
    add(1)
    rmSync(join(path, 'chunk-0'))
    const next = queue.next()
    await expect.poll(() => queue.allocate()).toBe(0)
    add(0)
    expect(await next).toMatchObject({ value: { index: 0 } })
  })

  test('behavior: a start removes the chunks of a crash, and no file of another name', () => {
    const path = join(parent, 'chunks')
    mkdirSync(path)
    for (const name of ['chunk-0', 'chunk-77', 'chunk-a', 'wallet']) writeFileSync(join(path, name), 'x')
    const folder = createChunkFolder(path, NODE_FILES)
    folder.open()
    expect(readdirSync(path).sort()).toEqual(['chunk-a', 'wallet'])
    folder.write(1, Uint8Array.of(1))
    folder.close()
    expect(readdirSync(path).sort()).toEqual(['chunk-a', 'wallet'])
    for (const name of ['chunk-a', 'wallet']) rmSync(join(path, name))
    folder.close()
    expect(readdirSync(parent)).toEqual([])
    folder.close()
  })

  test('error: a folder that cannot be made is a coded error', () => {
    writeFileSync(join(parent, 'file'), '')
    const folder = createChunkFolder(join(parent, 'file', 'chunks'), NODE_FILES)
    expect(() => folder.open()).toThrow(expect.objectContaining({ code: RESTORE_ERRORS.folder }))
  })
})

/** A folder that stores nothing, for tests with many chunks. Each read returns a chunk of one byte. */
const NO_DISK = {
  open: () => undefined,
  write: () => undefined,
  read: async () => new Uint8Array(1),
  remove: () => undefined,
  empty: () => undefined,
  close: () => undefined,
}

test('limit: 100,000 rejected senders of 100,000 chunks cost in proportion to their number', () => {
  const chunks = 100_000
  const queue = createChunkQueue(
    chunks,
    { ...PACE, chunksAhead: chunks, maxChunkBytes: 1, maxStoredBytes: chunks },
    { folder: NO_DISK, clock: createVirtualClock(), onOpen: () => undefined },
  )
  const nameOf = (index: number): string => `sender ${index}`
  for (let index = queue.allocate(); index !== undefined; index = queue.allocate())
    queue.add({ index, chunk: new Uint8Array(1), sender: nameOf(index) })
  expect(queue.counts().received).toBe(chunks)
  queue.discardFrom(new Set(Array.from({ length: chunks }, (_, index) => nameOf(index + 1))))
  expect(queue.counts().received).toBe(1)
})

test('limit: a snapshot of 100,000 chunks costs in proportion to its chunks', async () => {
  const chunks = 100_000
  let reads = 0
  const folder = {
    ...NO_DISK,
    read: async () => {
      reads++
      return new Uint8Array(1)
    },
  }
  const queue = createChunkQueue(
    chunks,
    { ...PACE, maxChunkBytes: 1, maxStoredBytes: 16 },
    { folder, clock: createVirtualClock(), onOpen: () => undefined },
  )
  for (let next = await turn(); next !== 'done'; next = await turn());
  expect([reads, queue.counts().taken]).toEqual([chunks, chunks])
  expect(queue.counts().storedBytes).toBeLessThanOrEqual(16)

  async function turn(): Promise<string> {
    for (let index = queue.allocate(); index !== undefined; index = queue.allocate()) {
      queue.add({ index, chunk: new Uint8Array(1), sender: 'a' })
    }
    return (await queue.next()).type
  }
})
