import { createSeededRandom } from '@org/runtime'
import { describe, expect, test } from 'vitest'
import type { NetAddress } from '../address/index.ts'
import { addressBookText, createAddressBook, parseAddressBook } from './index.ts'

const NOW = 1_700_000_000_000_000_000n
const DAY = 86_400_000_000_000n
const address = (n: number, group = n % 200): NetAddress => ({
  id: n.toString(16).padStart(40, '0'),
  ip: `51.${group}.${Math.floor(n / 250) % 250}.${(n % 250) + 1}`,
  port: 26_656,
})
const create = (privateIds: readonly string[] = []) =>
  createAddressBook({ strict: true, privateIds }, createSeededRandom(7))

test('default: an address can be added, found and removed', () => {
  const book = create()
  expect(book.add(address(1), address(2), NOW)).toEqual({ type: 'added' })
  expect(book.has(address(1).id)).toBe(true)
  expect(book.pick(50)).toEqual(address(1))
  expect(book.selection()).toEqual([address(1)])
  book.remove(address(1).id)
  expect(book.size()).toBe(0)
  expect(book.pick(50)).toBe(undefined)
})

test.each([
  ['invalid', { ...address(1), ip: '255.255.255.255' }],
  ['invalid', { ...address(1), id: 'ab' }],
  ['unroutable', { ...address(1), ip: '127.0.0.1' }],
  ['unroutable', { ...address(1), ip: '192.168.3.4' }],
  ['unroutable', { ...address(1), ip: 'fe80::1' }],
  ['private', address(8)],
  ['self', address(9)],
])('behavior: %s addresses are refused', (reason, candidate) => {
  const book = create([address(8).id])
  book.addOwn(address(9))
  expect(book.add(candidate, address(2), NOW)).toEqual({ type: 'refused', reason })
})

test('behavior: one source cannot fill the book', () => {
  const book = create()
  for (let i = 1; i <= 5000; i++) book.add(address(i, 1), address(1, 1), NOW + BigInt(i))
  // The addresses from one group of sources can fill at most 32 buckets of 65 addresses.
  expect(book.size()).toBeLessThanOrEqual(32 * 65)
  const other = create()
  for (let i = 1; i <= 5000; i++) other.add(address(i), address(i), NOW + BigInt(i))
  expect(other.size()).toBeGreaterThan(book.size())
})

test('behavior: an address from sources of several groups is in several buckets, at most four', () => {
  const book = create()
  const counts = new Set<number>()
  for (let i = 0; i < 400; i++) {
    book.add(address(1), address(i + 2, i % 200), NOW)
    counts.add(book.contents().addresses[0]?.buckets.length ?? 0)
  }
  expect([...counts]).toEqual([1, 2, 3, 4])
  expect(book.size()).toBe(1)
})

test('behavior: a peer that repeats a known address removes no other address', () => {
  const book = create()
  const source = address(1, 1)
  // If one source sends several addresses of one group, all of them belong in the same bucket.
  for (let i = 1; i <= 300; i++) book.add(address(i, 7), source, NOW + BigInt(i))
  const before = book.contents().addresses.map(({ address: { id } }) => id)
  expect(before).toHaveLength(65)
  const repeated = book.contents().addresses.at(-1)?.address as NetAddress
  for (let i = 0; i < 1000; i++) book.add(repeated, source, NOW + 1000n)
  expect(book.contents().addresses.map(({ address: { id } }) => id)).toEqual(before)
})

test('behavior: a full bucket removes a bad address first, and otherwise the address with the oldest last attempt', () => {
  const book = create()
  const source = address(1, 1)
  for (let i = 1; i <= 65; i++) book.add(address(i, 7), source, NOW + BigInt(i))
  for (let i = 0; i < 3; i++) book.markAttempt(address(40).id, NOW + 100n)
  const later = NOW + DAY / 24n
  book.add(address(66, 7), source, later)
  expect([book.has(address(40).id), book.has(address(1).id)]).toEqual([false, true])
  book.add(address(67, 7), source, later)
  expect([book.has(address(1).id), book.has(address(2).id)]).toEqual([false, true])
  expect(book.size()).toBe(65)
})

test('behavior: a full bucket of good addresses moves the address with the oldest success to the new buckets', () => {
  const book = create()
  // The good addresses of one group are spread over four buckets.
  for (let i = 1; i <= 300; i++) {
    book.add(address(i, 7), address(i, i % 200), NOW)
    book.markGood(address(i, 7).id, NOW + BigInt(i))
  }
  const kept = book.contents().addresses
  expect(kept).toHaveLength(300)
  const old = kept.filter(({ type }) => type === 'old')
  expect(old.length).toBeLessThanOrEqual(4 * 65)
  expect(old.every(({ buckets }) => buckets.length === 1)).toBe(true)
  expect(book.isOld(address(300, 7).id)).toBe(true)
  expect(book.isOld(address(1, 7).id)).toBe(false)
})

test('behavior: between as many new as old addresses, the bias is the percentage of new choices', () => {
  const book = create()
  for (let i = 1; i <= 100; i++) book.add(address(i), address(i), NOW)
  for (let i = 1; i <= 50; i++) book.markGood(address(i).id, NOW)
  const newOnes = (bias: number): number => {
    const picked = Array.from({ length: 1000 }, () => book.pick(bias) as NetAddress)
    return picked.filter(({ id }) => !book.isOld(id)).length
  }
  expect([newOnes(100), newOnes(0), newOnes(-5), newOnes(500)]).toEqual([1000, 0, 0, 1000])
  expect(Math.abs(newOnes(30) - 300)).toBeLessThan(80)
})

test('behavior: addresses from a private node are not kept', () => {
  const book = create([address(8).id])
  expect(book.add(address(1), address(8), NOW)).toEqual({ type: 'refused', reason: 'private' })
})

test('behavior: the oldest of ten thousand bans is removed, and its address may be added again', () => {
  const book = create()
  const ids = Array.from({ length: 10_001 }, (_, n) => address(n + 1).id)
  for (const id of ids) {
    book.add({ ...address(1), id }, { ...address(1), id }, NOW)
    book.markBad(id, NOW + DAY)
  }
  expect([0, 1, 10_000].map((at) => book.isBanned(ids[at] as string))).toEqual([false, true, true])
})

test('behavior: a good address becomes old and keeps its bucket; a banned address is added again after its ban', () => {
  const book = create()
  book.add(address(1), address(2), NOW)
  book.markGood(address(1).id, NOW)
  expect(book.isOld(address(1).id)).toBe(true)
  for (let i = 0; i < 20; i++) {
    expect(book.add({ ...address(1), ip: '52.1.1.1' }, address(3 + i), NOW)).toEqual({ type: 'known' })
  }
  expect(book.pick(0)).toEqual(address(1))
  book.markBad(address(1).id, NOW + DAY)
  expect(book.has(address(1).id)).toBe(false)
  expect(book.add(address(1), address(2), NOW)).toEqual({ type: 'refused', reason: 'banned' })
  book.reinstate(NOW + DAY - 1n)
  expect(book.isBanned(address(1).id)).toBe(true)
  book.reinstate(NOW + DAY)
  expect(book.has(address(1).id)).toBe(true)
})

test('behavior: a banned address is refused until the ban is over, and its id may come with another address', () => {
  const book = create()
  const wrong = { ...address(1), ip: '52.1.1.1' }
  book.add(wrong, address(2), NOW)
  book.banAddress(wrong, NOW + DAY)
  expect(book.has(wrong.id)).toBe(false)
  expect(book.add(wrong, address(2), NOW)).toEqual({ type: 'refused', reason: 'banned' })
  expect(book.add(address(1), address(2), NOW)).toEqual({ type: 'added' })
  // The book now has the right address for this id. A second ban of the wrong address does not remove the right one.
  book.banAddress(wrong, NOW + DAY)
  expect(book.pick(100)).toEqual(address(1))
  book.remove(address(1).id)
  book.reinstate(NOW + DAY)
  expect(book.size()).toBe(0)
  expect(book.add(wrong, address(2), NOW + DAY)).toEqual({ type: 'added' })
})

test('behavior: the oldest of ten thousand banned addresses is removed', () => {
  const book = create()
  for (let n = 0; n <= 10_000; n++) book.banAddress(address(n), NOW + DAY)
  expect([0, 1, 10_000].map((n) => book.add(address(n), address(2), NOW).type)).toEqual(['added', 'refused', 'refused'])
})

test('default: a selection has 23 percent of the book, but at least 32 addresses', () => {
  const book = create()
  for (let i = 1; i <= 40; i++) book.add(address(i), address(i), NOW)
  expect(book.selection()).toHaveLength(32)
  for (let i = 41; i <= 400; i++) book.add(address(i), address(i), NOW)
  expect(book.size()).toBe(400)
  expect([book.selection().length, book.selection(30).length]).toEqual([92, 92])
})

test('behavior: a selection is bounded, has no address twice, and mixes new and old addresses', () => {
  const book = create()
  for (let i = 1; i <= 4000; i++) book.add(address(i), address(i), NOW)
  for (let i = 1; i <= 500; i++) book.markGood(address(i).id, NOW)
  const selection = book.selection(30)
  expect(selection.length).toBe(250)
  expect(new Set(selection.map(({ id }) => id)).size).toBe(250)
  expect(selection.filter(({ id }) => book.isOld(id)).length).toBe(175)
})

test('behavior: a selection draws one random number per returned address, for any size of the book', () => {
  const random = createSeededRandom(7)
  let draws = 0
  const below = (limit: number): number => {
    draws++
    return random.below(limit)
  }
  const book = createAddressBook({ strict: true, privateIds: [] }, { ...random, below })
  for (let i = 1; i <= 4000; i++) book.add(address(i), address(i), NOW)
  for (let i = 1; i <= 500; i++) book.markGood(address(i).id, NOW)
  for (const bias of [undefined, 30]) {
    draws = 0
    expect(book.selection(bias)).toHaveLength(250)
    expect(draws).toBe(250)
  }
})

describe('the text of an address book', () => {
  test('default: a saved book is read back, in the reference’s form', () => {
    const book = create()
    for (let i = 1; i <= 40; i++) book.add(address(i), address(i + 1), NOW)
    book.markGood(address(3).id, NOW)
    const text = addressBookText(book.contents())
    const json = JSON.parse(text) as { key: string; addrs: Record<string, unknown>[] }
    expect(Object.keys(json)).toEqual(['key', 'addrs'])
    expect(json.addrs.find(({ bucket_type: type }) => type === 2)).toMatchObject({
      addr: { id: address(3).id, ip: address(3).ip, port: 26_656 },
      attempts: 0,
      last_success: '2023-11-14T22:13:20Z',
      last_ban_time: '0001-01-01T00:00:00Z',
    })
    const again = createAddressBook({ strict: true, privateIds: [] }, createSeededRandom(1), parseAddressBook(text))
    expect(again.size()).toBe(40)
    expect(again.isOld(address(3).id)).toBe(true)
    expect(again.contents().key).toBe(book.contents().key)
  })

  test('behavior: a file that the reference wrote is read, also if it has another time zone', () => {
    const entry = {
      addr: { id: address(1).id, ip: '::ffff:51.1.2.3', port: 26_656 },
      src: { id: address(2).id, ip: '51.2.0.1', port: 26_656 },
      buckets: [12, 200],
      attempts: 2,
      bucket_type: 1,
      last_attempt: '2023-11-14T23:13:20.5+01:00',
      last_success: '0001-01-01T00:00:00Z',
      last_ban_time: '0001-01-01T00:00:00Z',
    }
    const contents = parseAddressBook(JSON.stringify({ key: '1f66e8a7e2ee7c9ba79e4ba7', addrs: [entry] }, null, '\t'))
    expect(contents.addresses).toMatchObject([
      { address: { ip: '51.1.2.3' }, buckets: [12, 200], attempts: 2, type: 'new', lastAttempt: NOW + 500_000_000n },
    ])
    const again = createAddressBook({ strict: true, privateIds: [] }, createSeededRandom(1), contents)
    expect(JSON.parse(addressBookText(again.contents()))).toEqual({
      key: '1f66e8a7e2ee7c9ba79e4ba7',
      addrs: [{ ...entry, addr: { ...entry.addr, ip: '51.1.2.3' }, last_attempt: '2023-11-14T22:13:20.5Z' }],
    })
  })

  test.each([
    '{',
    '[]',
    '{"key":1,"addrs":[]}',
    '{"key":"a","addrs":[{}]}',
    '{"key":"a","addrs":[{"addr":{"id":"a","ip":"no","port":1},"src":{"id":"a","ip":"1.1.1.1","port":1}}]}',
  ])('error: %s is refused', (text) => {
    expect(() => parseAddressBook(text)).toThrow(expect.objectContaining({ code: 'ADDRESS_BOOK_FILE' }))
  })
})
