import { makeTemporaryFolder } from '@org/golden'
import { makeChain, makeKeys, makeSecpKeys } from '@org/test-kit'
import { LightBlock as WireLightBlock } from '@org/types'
import { bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { ClassicLevel } from 'classic-level'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createMemoryLightStore,
  heightOf,
  LIGHT_ERRORS,
  type LightBlock,
  type LightStore,
  lightBlockToWire,
} from '../src/index.ts'
import { openLevelLightStore } from '../src/level/index.ts'
import { encodeStored } from '../src/store/stored-block.ts'
import { type BrowserSite, browserProgram, openSite } from './browser-site.ts'
import { callPage, openStoreInPage } from './page-store.ts'

const keys = [...makeKeys(3), ...makeSecpKeys(1)]
const chain = makeChain({ to: 12, keysAt: () => keys })
const at = (height: number): LightBlock => chain.get(height) as LightBlock

async function inLevel(use: (store: LightStore, path: string) => Promise<void>): Promise<void> {
  await using folder = await makeTemporaryFolder('halley-light-')
  await using closing = new AsyncDisposableStack()
  const store = await openLevelLightStore(folder.path, { chainId: 'made' })
  closing.defer(store.close)
  await use(store, folder.path)
}

let site: BrowserSite
let databases = 0

beforeAll(async () => {
  if (browserProgram !== undefined) site = await openSite('page-entry.ts')
})
afterAll(() => site?.close())

async function inBrowser(use: (store: LightStore) => Promise<void>): Promise<void> {
  const page = await site.page()
  const store = await openStoreInPage(page, { chainId: 'made', name: `light ${databases++}` })
  await use(store)
  await store.close()
  await page.close()
}

const ADAPTERS = [
  ['memory', (use: (store: LightStore) => Promise<void>) => use(createMemoryLightStore())],
  ['LevelDB', inLevel],
  ...(browserProgram === undefined ? [] : [['the IndexedDB of a browser', inBrowser] as const]),
] as const

describe.each(ADAPTERS)('a store in %s', (_name, inStore) => {
  test('the store is empty at first', () =>
    inStore(async (store) => {
      expect(await store.firstHeight()).toBeUndefined()
      expect(await store.lastHeight()).toBeUndefined()
      expect(await store.at(1)).toBeUndefined()
      expect(await store.before(9)).toBeUndefined()
      expect(await store.after(9)).toBeUndefined()
      expect(await store.size()).toBe(0)
      await store.prune(0)
      await store.remove(4)
      expect(await store.size()).toBe(0)
    }))

  test('the store returns the saved blocks in the order of heights', () =>
    inStore(async (store) => {
      for (const height of [10, 2, 9, 11, 2]) await store.save(at(height))
      expect(await store.size()).toBe(4)
      expect([await store.firstHeight(), await store.lastHeight()]).toEqual([2, 11])
      expect(await store.at(9)).toEqual(at(9))
      expect(await store.at(3)).toBeUndefined()
      const before = await Promise.all([12, 11, 10, 9, 3, 2, 1].map(store.before))
      expect(before.map((block) => block && heightOf(block))).toEqual([11, 10, 9, 2, 2, undefined, undefined])
      const after = await Promise.all([12, 11, 10, 9, 3, 2, 1].map(store.after))
      expect(after.map((block) => block && heightOf(block))).toEqual([undefined, undefined, 11, 10, 9, 9, 2])
    }))

  test('the store prunes the lowest heights, and removes single blocks', () =>
    inStore(async (store) => {
      await Promise.all([...chain.values()].map(store.save))
      await store.prune(20)
      expect(await store.size()).toBe(12)
      await store.prune(5)
      expect([await store.size(), await store.firstHeight(), await store.lastHeight()]).toEqual([5, 8, 12])
      await store.remove(12)
      await store.remove(9)
      expect([await store.size(), await store.firstHeight(), await store.lastHeight()]).toEqual([3, 8, 11])
      await store.prune(0)
      expect([await store.size(), await store.lastHeight()]).toEqual([0, undefined])
    }))
})

describe('the store in LevelDB', () => {
  test('the store writes the keys and values of the reference, and reads them again', async () => {
    await using folder = await makeTemporaryFolder('halley-light-')
    const store = await openLevelLightStore(folder.path, { chainId: 'made' })
    for (const height of [3, 4]) await store.save(at(height))
    expect(await store.providers()).toBeUndefined()
    await store.saveProviders({ primary: 'tcp://a:1', witnesses: ['tcp://b:1', 'tcp://c:1'] })
    await store.close()
    const db = new ClassicLevel<Uint8Array, Uint8Array>(folder.path, { keyEncoding: 'view', valueEncoding: 'view' })
    const entries = new Map<string, Uint8Array>()
    for await (const [key, value] of db.iterator()) entries.set(bytesToUtf8(key), new Uint8Array(value))
    await db.close()
    expect([...entries.keys()]).toEqual([
      'lb/made/00000000000000000003',
      'lb/made/00000000000000000004',
      'primary',
      'size',
      'witnesses',
    ])
    expect(entries.get('lb/made/00000000000000000003')).toEqual(WireLightBlock.encode(lightBlockToWire(at(3))))
    expect(entries.get('size')).toEqual(Uint8Array.of(2, 0))
    expect(entries.get('witnesses')).toEqual(utf8ToBytes('tcp://b:1,tcp://c:1'))
    const again = await openLevelLightStore(folder.path, { chainId: 'made' })
    expect(await again.size()).toBe(2)
    expect(await again.at(4)).toEqual(at(4))
    expect(await again.providers()).toEqual({ primary: 'tcp://a:1', witnesses: ['tcp://b:1', 'tcp://c:1'] })
    await again.close()
  })

  test('the blocks of two chains stay apart, also if one chain id begins with the other', async () => {
    await using folder = await makeTemporaryFolder('halley-light-')
    const inner = await openLevelLightStore(folder.path, { chainId: 'made/00000000000000000005' })
    await inner.save(at(7))
    await inner.close()
    const outer = await openLevelLightStore(folder.path, { chainId: 'made' })
    expect([await outer.size(), await outer.firstHeight(), await outer.before(9)]).toEqual([0, undefined, undefined])
    await outer.save(at(9))
    await outer.prune(0)
    await outer.close()
    const again = await openLevelLightStore(folder.path, { chainId: 'made/00000000000000000005' })
    expect([await again.size(), await again.lastHeight()]).toEqual([1, 7])
    await again.close()
  })

  test('an error names the fault of the database', async () => {
    await using folder = await makeTemporaryFolder('halley-light-')
    const fault = (name: string): object =>
      expect.objectContaining({ code: LIGHT_ERRORS.store, data: { path: folder.path, fault: name } })
    const store = await openLevelLightStore(folder.path, { chainId: 'made' })
    await store.save(at(3))
    await expect(openLevelLightStore(folder.path, { chainId: 'made' })).rejects.toThrow(fault('locked'))
    await store.close()
    await expect(store.save(at(4))).rejects.toThrow(fault('closed'))
    await expect(store.at(3)).rejects.toThrow(fault('closed'))

    const db = new ClassicLevel<string, Uint8Array>(folder.path, { valueEncoding: 'view' })
    const value = await db.get('lb/made/00000000000000000003')
    await db.put('lb/made/00000000000000000004', value as Uint8Array)
    await db.put('lb/made/00000000000000000005', Uint8Array.of(1, 2, 3))
    await db.close()
    const damaged = await openLevelLightStore(folder.path, { chainId: 'made' })
    await expect(damaged.at(4)).rejects.toThrow(fault('corrupt'))
    await expect(damaged.at(5)).rejects.toThrow(fault('corrupt'))
    await damaged.close()
  })
})

describe.skipIf(browserProgram === undefined)('the store in IndexedDB', () => {
  test('the blocks of two chains stay apart, and are kept when a page ends', async () => {
    const name = `light ${databases++}`
    const first = await site.page()
    const [made, other] = [
      await openStoreInPage(first, { chainId: 'made', name }),
      await openStoreInPage(first, { chainId: 'made2', name }),
    ]
    await made.save(at(7))
    await made.save(at(8))
    await other.save(at(9))
    await other.prune(0)
    await first.close()
    const second = await site.page()
    const again = await openStoreInPage(second, { chainId: 'made', name })
    expect([await again.size(), await again.firstHeight(), await again.lastHeight()]).toEqual([2, 7, 8])
    expect(await again.at(8)).toEqual(at(8))
    expect(await (await openStoreInPage(second, { chainId: 'made2', name })).size()).toBe(0)
    await second.close()
  })

  test('the store prunes more blocks than it reads at once', async () => {
    const page = await site.page()
    const name = `light ${databases++}`
    const store = await openStoreInPage(page, { chainId: 'made', name })
    const heights = Array.from({ length: 1300 }, (_, i) => i + 1)
    await callPage(
      page,
      'putRaw',
      name,
      heights.map((height) => [['made', height], [1]] as const),
    )
    expect(await store.size()).toBe(1300)
    await store.prune(3)
    expect([await store.size(), await store.firstHeight(), await store.lastHeight()]).toEqual([3, 1298, 1300])
    await page.close()
  })

  test('an error names the fault of the database', async () => {
    const page = await site.page()
    const name = `light ${databases++}`
    const fault = (kind: string): object => ({ code: LIGHT_ERRORS.store, data: { path: name, fault: kind } })
    const store = await openStoreInPage(page, { chainId: 'made', name })
    await store.save(at(3))
    const value = [...encodeStored(at(3))]
    await callPage(page, 'putRaw', name, [
      [['made', 4], value],
      [
        ['made', 5],
        [1, 2, 3],
      ],
      [['made', 6], 'text'],
    ])
    for (const height of [4, 5, 6]) await expect(store.at(height)).rejects.toMatchObject(fault('corrupt'))
    await expect(store.before(7)).rejects.toMatchObject(fault('corrupt'))
    // The user removes the data of the site while the page is open.
    await callPage(page, 'removeDatabase', name)
    await expect(store.save(at(4))).rejects.toMatchObject(fault('closed'))
    await expect(store.size()).rejects.toMatchObject(fault('closed'))
    await page.close()
  })

  test('an error says that IndexedDB is missing', async () => {
    const { openIndexedDbLightStore } = await import('../src/indexeddb/index.ts')
    await expect(openIndexedDbLightStore({ chainId: 'made' })).rejects.toMatchObject({
      code: LIGHT_ERRORS.store,
      data: { path: 'light-client', fault: 'denied' },
    })
  })
})
