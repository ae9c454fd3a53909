import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeTemporaryFolder } from '@org/golden'
import { expect, test } from 'vitest'
import { type CachedChain, cachedChain } from '../src/chain-cache.ts'

const LIMITS = { maxEntries: 2, maxBytes: 1000 }

async function openCache() {
  const temporary = await makeTemporaryFolder('chain-cache-')
  const root = join(temporary.path, 'cache')
  const source = join(temporary.path, 'source.ts')
  await writeFile(source, 'one')
  let made = 0
  const use = (heights: number, bytes = 1): Promise<string> => {
    const chain: CachedChain = {
      name: 'chain',
      parameters: { heights },
      sources: [pathToFileURL(source)],
      make: async (folder) => {
        made++
        await writeFile(join(folder, 'data'), 'x'.repeat(bytes))
      },
    }
    return cachedChain(chain, root, LIMITS)
  }
  return { temporary, root, source, use, made: () => made }
}

test('behavior: a chain is made once, and made again when its parameters or its sources change', async () => {
  const { temporary, source, use, made } = await openCache()
  await using _ = temporary
  const first = await use(1)
  expect(await use(1)).toBe(first)
  expect(made()).toBe(1)
  expect(await readFile(join(first, 'data'), 'utf8')).toBe('x')
  expect(await use(2)).not.toBe(first)
  await writeFile(source, 'two')
  expect(await use(1)).not.toBe(first)
  expect(made()).toBe(3)
})

test('behavior: the entries that have been unused for the longest time are removed', async () => {
  const { temporary, root, use, made } = await openCache()
  await using _ = temporary
  for (const heights of [1, 2, 3]) await use(heights)
  expect((await readdir(root)).length).toBe(2)
  await use(2)
  expect(made()).toBe(3)
})

test('behavior: old entries are removed if all entries have too many bytes together', async () => {
  const { temporary, root, use } = await openCache()
  await using _ = temporary
  await use(1, 1001)
  expect((await readdir(root)).length).toBe(1)
  const second = await use(2)
  expect(await readdir(root)).toEqual([second.split('/').at(-1)])
})

test('behavior: a chain that could not be made leaves no files, and the files of a killed run are removed', async () => {
  const { temporary, root, use } = await openCache()
  await using _ = temporary
  const failing: CachedChain = {
    name: 'chain',
    parameters: {},
    sources: [],
    make: () => Promise.reject(new Error('no room')),
  }
  await expect(cachedChain(failing, root, LIMITS)).rejects.toThrow('no room')
  expect(await readdir(root)).toEqual([])
  // The name of this folder ends with the id of the process that was generating the chain. No process can have this id,
  // because it is above the maximum of the kernel.
  await mkdir(join(root, 'chain-1.making-99999999'))
  await use(1)
  expect((await readdir(root)).length).toBe(1)
})
