import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createMemoryStorage,
  type KeyValueStorage,
  KVSTORE_ERRORS,
  openLevelStorage,
  type StorageOp,
} from '../src/index.ts'
import { temporaryDirectory } from './helpers.ts'

const KINDS: readonly (readonly [string, (path: string) => Promise<KeyValueStorage>])[] = [
  ['memory', () => Promise.resolve(createMemoryStorage())],
  ['level', (path) => openLevelStorage(join(path, 'db'))],
]

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

async function contents(storage: KeyValueStorage, from?: Uint8Array): Promise<(readonly [string, string])[]> {
  const pairs: (readonly [string, string])[] = []
  for await (const [key, value] of storage.entries(from)) pairs.push([hex(key), hex(value)])
  return pairs
}

describe.each(KINDS)('default: %s', (_, open) => {
  const key = fc.uint8Array({ minLength: 1, maxLength: 3 })
  const op: fc.Arbitrary<StorageOp> = fc.oneof(
    fc.record({ type: fc.constant('put' as const), key, value: fc.uint8Array({ maxLength: 3 }) }),
    fc.record({ type: fc.constant('del' as const), key }),
  )

  test('keeps the last written values, in ascending order of keys', async () => {
    await using directory = await temporaryDirectory()
    const storage = await open(directory.path)
    const expected = new Map<string, string>()
    await fc.assert(
      fc.asyncProperty(fc.array(op, { maxLength: 8 }), key, async (ops, asked) => {
        await storage.write(ops)
        for (const change of ops) {
          if (change.type === 'put') expected.set(hex(change.key), hex(change.value))
          else expected.delete(hex(change.key))
        }
        const found = storage.get(asked)
        expect(found === undefined ? undefined : hex(found)).toBe(expected.get(hex(asked)))
        const sorted = [...expected].sort(([a], [b]) => (a < b ? -1 : 1))
        expect(await contents(storage)).toEqual(sorted)
        expect(await contents(storage, asked)).toEqual(sorted.filter(([key]) => key >= hex(asked)))
      }),
      { numRuns: 60 },
    )
    await storage.close()
  })

  test('behavior: entries are those at the moment of the call, also if writes follow meanwhile', async () => {
    await using directory = await temporaryDirectory()
    const storage = await open(directory.path)
    const put = (byte: number): StorageOp => ({ type: 'put', key: Uint8Array.of(byte), value: Uint8Array.of(byte) })
    await storage.write([put(1), put(2)])
    const entries = storage.entries()
    await storage.write([put(3), { type: 'del', key: Uint8Array.of(1) }])
    const keys: number[] = []
    for await (const [found] of entries) keys.push(found[0] ?? 0)
    expect(keys).toEqual([1, 2])
    await storage.close()
  })
})

test('behavior: a database that is closed leaves nothing in its log, where the Go node could miss it', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'db')
  const storage = await openLevelStorage(path)
  await storage.write([{ type: 'put', key: Uint8Array.of(1), value: Uint8Array.of(2) }])
  const closing = storage.close()
  await expect(storage.write([{ type: 'del', key: Uint8Array.of(1) }])).rejects.toMatchObject({
    code: KVSTORE_ERRORS.closed,
  })
  await closing
  const logs = (await readdir(path)).filter((name) => name.endsWith('.log'))
  expect(await Promise.all(logs.map(async (name) => (await stat(join(path, name))).size))).toEqual([0])
  const again = await openLevelStorage(path)
  expect(again.get(Uint8Array.of(1))).toEqual(Uint8Array.of(2))
  await again.close()
})
