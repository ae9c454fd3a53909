import { compareBytes, utf8ToBytes } from '@org/types/bytes'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { STORE_ERRORS } from '../../src/store/errors.ts'
import { del, type Entry, type KeyRange, type KeyValueStore, prefixRange, put } from '../../src/store/kv/index.ts'

const b = utf8ToBytes

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Defines the tests that every {@link KeyValueStore} must pass. `open` returns an empty store. */
export function describeKeyValueStore(name: string, open: () => Promise<KeyValueStore>): void {
  describe(`KeyValueStore: ${name}`, () => {
    let store: KeyValueStore
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    it('default: a written value is read', async () => {
      await store.write([put(b('a'), b('1'))], { sync: true })
      expect(store.get(b('a'))).toEqual(b('1'))
      expect(store.has(b('a'))).toBe(true)
    })

    it('default: an absent key is undefined', () => {
      expect(store.get(b('a'))).toBeUndefined()
      expect(store.has(b('a'))).toBe(false)
    })

    it('default: reads the values of many keys at once', async () => {
      await store.write([put(b('a'), b('1')), put(b('c'), b(''))])
      expect(await store.getMany([b('c'), b('b'), b('a')])).toEqual([b(''), undefined, b('1')])
      expect(await store.getMany([])).toEqual([])
    })

    it('behavior: an empty batch is no error', async () => {
      await store.write([], { sync: true })
      expect(await collect(store.keys())).toEqual([])
    })

    it('behavior: an empty value is stored', async () => {
      await store.write([put(b('a'), b(''))])
      expect(store.get(b('a'))).toEqual(b(''))
      expect(store.has(b('a'))).toBe(true)
    })

    it('behavior: the operations of a batch run in order', async () => {
      await store.write([put(b('a'), b('1')), del(b('a')), put(b('b'), b('1')), put(b('b'), b('2'))])
      expect(store.get(b('a'))).toBeUndefined()
      expect(store.get(b('b'))).toEqual(b('2'))
    })

    it('behavior: a batch takes keys as text, also of bytes that are no UTF-8, and keeps no reference to its arguments', async () => {
      const scratch = Uint8Array.of(1)
      const texts = ['first', 'é/😀', 'nul\0nul', 'byte \udcff']
      await store.write((batch) => {
        for (const text of texts) {
          batch.put(text, scratch)
          scratch[0] = (scratch[0] as number) + 1
        }
        batch.put(b('gone'), scratch)
        batch.del(b('gone'))
      })
      for (const [index, text] of texts.entries()) expect(store.get(b(text))).toEqual(Uint8Array.of(index + 1))
      expect(store.has(Uint8Array.of(...b('byte '), 0xff))).toBe(true)
      expect(await collect(store.keys())).toHaveLength(texts.length)
      await store.write((batch) => batch.del(b('first')), { sync: true })
      expect(store.has(b('first'))).toBe(false)
    })

    it('behavior: returned bytes are plain Uint8Arrays that belong to the caller', async () => {
      await store.write([put(b('a'), b('12'))])
      const value = store.get(b('a')) as Uint8Array
      expect(value.constructor).toBe(Uint8Array)
      value[0] = 0
      expect(store.get(b('a'))).toEqual(b('12'))
      const [[key]] = (await collect(store.iterate())) as [Entry]
      expect(key.constructor).toBe(Uint8Array)
    })

    it('behavior: keys are in the order of their bytes', async () => {
      const keys = [b(''), new Uint8Array([0xff]), new Uint8Array([0x7f, 0]), b('a'), b('ab'), new Uint8Array([0])]
      await store.write(keys.filter((key) => key.length > 0).map((key) => put(key, b('x'))))
      const read = await collect(store.keys())
      expect(read).toEqual(keys.filter((key) => key.length > 0).sort(compareBytes))
    })

    it('behavior: a scan sees the store as it was when it began', async () => {
      await store.write([put(b('a'), b('1')), put(b('b'), b('1')), put(b('c'), b('1'))])
      const seen: string[] = []
      for await (const [key] of store.iterate()) {
        seen.push(new TextDecoder().decode(key))
        await store.write([put(b('bb'), b('1')), del(b('c'))])
      }
      expect(seen).toEqual(['a', 'b', 'c'])
    })

    it('behavior: a scan may be left early', async () => {
      await store.write(Array.from({ length: 2000 }, (_, i) => put(b(`k${i}`), b('1'))))
      for await (const _ of store.iterate()) break
      for await (const _ of store.keys()) break
      expect((await collect(store.chunks())).flat()).toHaveLength(2000)
    })

    it('behavior: reads the keys of any range as text', async () => {
      const keys = Array.from({ length: 1500 }, (_, i) => `ké${String(i).padStart(4, '0')}`)
      await store.write([...keys, 'a', 'z'].map((key) => put(b(key), b('1'))))
      await store.write([put(Uint8Array.of(0x6b, 0xff), b('1'))])
      const prefix = prefixRange(b('ké'))
      expect((await collect(store.keyTexts(prefix))).flat()).toEqual(keys)
      expect((await collect(store.keyTexts({ ...prefix, reverse: true, limit: 2 }))).flat()).toEqual(
        keys.slice(-2).reverse(),
      )
      expect((await collect(store.keyTexts({ gt: b('a'), lte: b('ké0001') }))).flat()).toEqual(keys.slice(0, 2))
      expect((await collect(store.keyTexts({ gte: Uint8Array.of(0x6b, 0xfe) }))).flat()).toEqual(['k\ufffd', 'z'])
    })

    it('behavior: reads entries as text', async () => {
      await store.write([put(b('e1'), b('ä')), put(b('e2'), Uint8Array.of(0xff, 0x61)), put(b('e3'), b(''))])
      expect((await collect(store.entryTexts(prefixRange(b('e'))))).flat()).toEqual([
        ['e1', 'ä'],
        ['e2', '\ufffda'],
        ['e3', ''],
      ])
      expect((await collect(store.valueTexts(prefixRange(b('e'))))).flat()).toEqual(['ä', '\ufffda', ''])
    })

    it('behavior: finds all keys with a prefix', async () => {
      const prefix = new Uint8Array([1, 0xff])
      await store.write(
        [[1, 0xfe], [1, 0xff], [1, 0xff, 0], [1, 0xff, 0xff], [2], [0xff], [0xff, 0xff]].map((key) =>
          put(new Uint8Array(key), b('')),
        ),
      )
      expect((await collect(store.keys(prefixRange(prefix)))).map((key) => [...key])).toEqual([
        [1, 0xff],
        [1, 0xff, 0],
        [1, 0xff, 0xff],
      ])
      expect(await collect(store.keys(prefixRange(new Uint8Array([0xff]))))).toHaveLength(2)
    })

    it('behavior: any history of batches equals a sorted map, in every range', async () => {
      const key = fc.uint8Array({ minLength: 1, maxLength: 3 })
      const op = fc.oneof(
        fc.record({ type: fc.constant('put' as const), key, value: fc.uint8Array({ maxLength: 4 }) }),
        fc.record({ type: fc.constant('del' as const), key }),
      )
      const range = fc
        .tuple(
          fc.oneof(fc.constant({}), fc.record({ gt: key }), fc.record({ gte: key })),
          fc.oneof(fc.constant({}), fc.record({ lt: key }), fc.record({ lte: key })),
          fc.record({ reverse: fc.boolean(), limit: fc.nat(5) }, { requiredKeys: [] }),
        )
        .map(([from, to, rest]): KeyRange => ({ ...from, ...to, ...rest }))
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(op, { maxLength: 8 }), { maxLength: 5 }), range, async (batches, wanted) => {
          const fresh = await collect(store.keys())
          await store.write(fresh.map(del))
          const model = new Map<string, Entry>()
          for (const ops of batches) {
            await store.write(ops)
            for (const one of ops) {
              if (one.type === 'put') model.set(one.key.join(), [one.key, one.value])
              else model.delete(one.key.join())
            }
            expect(await collect(store.iterate(wanted))).toEqual(modelRange(model, wanted))
          }
        }),
        { numRuns: 60 },
      )
    })

    it('error: nothing works after close, which may be repeated', async () => {
      await store.close()
      await store.close()
      const closed = expect.objectContaining({ code: STORE_ERRORS.closed })
      expect(() => store.get(b('a'))).toThrow(closed)
      expect(() => store.has(b('a'))).toThrow(closed)
      await expect(store.write([put(b('a'), b('1'))])).rejects.toEqual(closed)
      await expect(store.getMany([b('a')])).rejects.toEqual(closed)
      await expect(collect(store.iterate())).rejects.toEqual(closed)
      await expect(collect(store.keys())).rejects.toEqual(closed)
    })
  })
}

function modelRange(model: ReadonlyMap<string, Entry>, range: KeyRange): Entry[] {
  const entries = [...model.values()]
    .filter(
      ([key]) =>
        (range.gt === undefined || compareBytes(key, range.gt) > 0) &&
        (range.gte === undefined || compareBytes(key, range.gte) >= 0) &&
        (range.lt === undefined || compareBytes(key, range.lt) < 0) &&
        (range.lte === undefined || compareBytes(key, range.lte) <= 0),
    )
    .sort(([a], [z]) => compareBytes(a, z))
  if (range.reverse === true) entries.reverse()
  return range.limit === undefined ? entries : entries.slice(0, range.limit)
}
