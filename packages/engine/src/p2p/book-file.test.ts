import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AddressBook, createAddressBook } from '@org/p2p'
import { createSeededRandom } from '@org/runtime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBookFile } from './book-file.ts'

const NOW = 1_700_000_000_000_000_000n

function bookOf(count: number): AddressBook {
  const book = createAddressBook({ strict: true, privateIds: [] }, createSeededRandom(1))
  for (let i = 1; i <= count; i++) {
    const address = { id: i.toString(16).padStart(40, '0'), ip: `51.${i}.0.1`, port: 26_656 }
    book.add(address, address, NOW)
  }
  return book
}

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'halley-book-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

test('default: a book is read back as it was saved, and others may read it', async () => {
  const path = join(directory, 'addrbook.json')
  const file = createBookFile(path)
  expect(await file.load()).toBeUndefined()
  const book = bookOf(40)
  await file.save(book.contents)
  expect(await file.load()).toEqual(book.contents())
  expect((await stat(path)).mode & 0o777).toBe(0o644 & ~process.umask())
  expect((await readFile(path, 'utf8')).startsWith('{\n\t"key"')).toBe(true)
})

test('behavior: after saves that overlap, the file has the last content', async () => {
  const file = createBookFile(join(directory, 'often.json'))
  await Promise.all([1, 2, 3, 4, 5].map((count) => file.save(bookOf(count).contents)))
  expect((await file.load())?.addresses).toHaveLength(5)
})

test('error: refuses an invalid address book, and names the file', async () => {
  const path = join(directory, 'bad.json')
  await writeFile(path, '{"key":1}')
  const refused = {
    code: 'ADDRESS_BOOK_FILE',
    data: { file: path },
    message: `address book ${path}: the content is not an address book`,
  }
  await expect(createBookFile(path).load()).rejects.toMatchObject(refused)
  const nowhere = createBookFile(join(directory, 'no/such/folder.json'))
  await expect(nowhere.save(bookOf(1).contents)).rejects.toMatchObject({ code: 'ADDRESS_BOOK_FILE' })
})
