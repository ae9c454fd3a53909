import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { recordingJson, unpackHome } from '@org/golden'
import { bytesToHex } from '@org/types/bytes'
import { ClassicLevel } from 'classic-level'
import { describe, expect, test } from 'vitest'
import { createKvStore, openKvStore, openLevelStorage, RULES } from '../src/index.ts'
import { appHashOf, decodeState } from '../src/state.ts'
import { commitBlock, storedUnder, temporaryDirectory, text } from './helpers.ts'

interface Expect {
  readonly homes: Readonly<Record<string, { readonly after: { readonly log: readonly string[] } }>>
}

const CRASHED = Array.from({ length: 10 }, (_, i) => `home-crash-${i}.tar.gz`)

describe('default: a home that the Go node wrote', () => {
  test.each(CRASHED)('%s: height and hash equal those of the Go node', async (name) => {
    await using directory = await temporaryDirectory()
    await unpackHome(`kvstore-single/${name}`, directory.path)
    const log = recordingJson<Expect>('kvstore-single/expect.json').homes[name]?.after.log.join('\n') ?? ''
    const [, height, hash] = /App Info +module=consensus height=(\d+) hash=([0-9A-F]*)/.exec(log) ?? []
    const app = await openKvStore({ dir: join(directory.path, 'data'), rules: 'v0.38' })
    const { lastBlockHeight, lastBlockAppHash } = await app.info({} as never)
    await app.close()
    expect(lastBlockHeight).toBe(Number(height))
    expect(bytesToHex(lastBlockAppHash ?? new Uint8Array(0))).toBe(hash)
  })

  test('behavior: the rules of the document may open it, with a log line; after that v0.38 may not', async () => {
    await using directory = await temporaryDirectory()
    await unpackHome('kvstore-single/home-crash-5.tar.gz', directory.path)
    const dir = join(directory.path, 'data')
    const warnings: string[] = []
    const none = (): void => undefined
    const logger = { debug: none, info: none, error: none, warn: (line: string) => void warnings.push(line) }
    const app = await openKvStore({ dir, logger: { ...logger, child: () => ({}) as never } })
    expect(warnings).toEqual([expect.stringMatching(/the Go node wrote this state; .* "first-equals" apply/)])
    const { lastBlockHeight = 0 } = await app.info({} as never)
    await commitBlock(app, lastBlockHeight + 1, ['a=b=c'])
    await app.close()
    await expect(openKvStore({ dir, rules: 'v0.38' })).rejects.toMatchObject({ code: 'KVSTORE_OTHER_RULES' })
  })

  test('behavior: a state that is written under v0.38 has the reference’s layout', async () => {
    await using directory = await temporaryDirectory()
    const app = await openKvStore({ dir: directory.path, rules: 'v0.38' })
    const pubKey = { type: 'ed25519', bytes: new Uint8Array(32).fill(1) } as const
    await app.initChain({ validators: [{ pubKey, power: 10n }] } as never)
    await commitBlock(app, 1, ['name=satoshi'])
    await app.close()
    const db = new ClassicLevel<string, string>(join(directory.path, 'kvstore.db'), {
      keyEncoding: 'hex',
      valueEncoding: 'hex',
    })
    const pairs = Object.fromEntries(await db.iterator().all())
    await db.close()
    const hex = (value: string): string => Buffer.from(value).toString('hex')
    expect(pairs[hex('kvPairKey:name')]).toBe(hex('satoshi'))
    expect(pairs[hex('stateKey')]).toBe(hex('{"size":1,"height":1}'))
    expect(pairs[hex(`val=${'\x01'.repeat(32)}`)]).toBe(`260a220a20${'01'.repeat(32)}100a`)
  })
})

describe.each(RULES)('default: state on disk, rules %s', (rules) => {
  test('continues after a restart', async () => {
    await using directory = await temporaryDirectory()
    const first = await openKvStore({ dir: directory.path, rules })
    await commitBlock(first, 1, ['a=1', 'b=2'])
    const before = await first.info({} as never)
    await first.close()
    const second = await openKvStore({ dir: directory.path, rules })
    expect(await second.info({} as never)).toEqual(before)
    expect(await storedUnder(second, 'b')).toBe('2')
    await second.close()
  })

  test('error: the other rules cannot open it', async () => {
    await using directory = await temporaryDirectory()
    const app = await openKvStore({ dir: directory.path, rules })
    await commitBlock(app, 1, ['a=1'])
    await app.close()
    const other = rules === 'v0.38' ? 'first-equals' : 'v0.38'
    await expect(openKvStore({ dir: directory.path, rules: other })).rejects.toMatchObject({
      code: 'KVSTORE_OTHER_RULES',
      data: { stored: rules, wanted: other },
    })
    const again = await openKvStore({ dir: directory.path, rules })
    await again.close()
  })
})

describe('behavior: a home with the older rules', () => {
  function listening() {
    const warnings: string[] = []
    const none = (): void => undefined
    const logger = { debug: none, info: none, error: none, warn: (line: string) => void warnings.push(line) }
    return { warnings, logger: { ...logger, child: () => ({}) as never } }
  }

  test('opens with its own rules when the new ones are requested, with a log line', async () => {
    await using directory = await temporaryDirectory()
    const before = await openKvStore({ dir: directory.path, rules: 'document' })
    await commitBlock(before, 1, ['a=b=c'])
    await before.close()
    const { warnings, logger } = listening()
    const app = await openKvStore({ dir: directory.path, logger })
    await commitBlock(app, 2, ['d=e=f', 'k=v'])
    expect(warnings).toEqual([
      expect.stringMatching(/the rules "document", and these rules continue to apply, because a chain keeps its rules/),
    ])
    expect(app.rules()).toBe('document')
    expect(await storedUnder(app, 'd=e=f')).toBe('d=e=f')
    expect(await storedUnder(app, 'd')).toBeUndefined()
    expect(await storedUnder(app, 'k')).toBe('v')
    await app.close()
  })

  test('a new home has the new rules without a log line; the old rules cannot open it', async () => {
    await using directory = await temporaryDirectory()
    const { warnings, logger } = listening()
    const app = await openKvStore({ dir: directory.path, logger })
    await commitBlock(app, 1, ['a=b=c'])
    expect(await storedUnder(app, 'a')).toBe('b=c')
    await app.close()
    const again = await openKvStore({ dir: directory.path, logger })
    expect(again.rules()).toBe('first-equals')
    await again.close()
    expect(warnings).toEqual([])
    await expect(openKvStore({ dir: directory.path, rules: 'document' })).rejects.toMatchObject({
      code: 'KVSTORE_OTHER_RULES',
      data: { stored: 'first-equals', wanted: 'document' },
    })
  })
})

describe('error', () => {
  test('a database that another process has open', async () => {
    await using directory = await temporaryDirectory()
    const app = await openKvStore({ dir: directory.path, rules: 'document' })
    await expect(openKvStore({ dir: directory.path, rules: 'document' })).rejects.toMatchObject({
      code: 'KVSTORE_LOCKED',
    })
    await app.close()
  })

  test('a database that is damaged, or cannot be made', async () => {
    await using directory = await temporaryDirectory()
    const dir = join(directory.path, 'damaged')
    await (await openKvStore({ dir, rules: 'document' })).close()
    const current = join(dir, 'kvstore.db/CURRENT')
    await writeFile(current, 'nonsense')
    await expect(openKvStore({ dir, rules: 'document' })).rejects.toMatchObject({ code: 'KVSTORE_OPEN' })
    expect(await readFile(current, 'utf8')).toBe('nonsense')
    await expect(openKvStore({ dir: current, rules: 'document' })).rejects.toMatchObject({ code: 'KVSTORE_OPEN' })
  })

  test('a state that is not readable is named, and not overwritten', async () => {
    for (const bad of ['{', '[]', '7', '{"size":-1}', '{"size":"x"}', '{"size":1e300}']) {
      await using directory = await temporaryDirectory()
      const store = await openLevelStorage(join(directory.path, 'kvstore.db'))
      await store.write([{ type: 'put', key: text('stateKey'), value: text(bad) }])
      await store.close()
      await expect(openKvStore({ dir: directory.path, rules: 'v0.38' }), bad).rejects.toMatchObject({
        code: 'KVSTORE_BAD_STATE',
      })
    }
  })

  test('a record of rules that a newer version wrote', async () => {
    await using directory = await temporaryDirectory()
    const store = await openLevelStorage(join(directory.path, 'kvstore.db'))
    await store.write([{ type: 'put', key: text('halleyMeta'), value: text('{"rules":"v9","keyTypes":[]}') }])
    await store.close()
    await expect(openKvStore({ dir: directory.path, rules: 'v0.38' })).rejects.toMatchObject({
      code: 'KVSTORE_BAD_STATE',
    })
  })
})

test('default: the application hash is the size as a zig-zag varint in eight bytes', () => {
  const hashes = [0, 1, 63, 64, 240, 1_000_000_000, 2 ** 40].map((size) => bytesToHex(appHashOf({ size, height: 1 })))
  expect(hashes.slice(0, 5)).toEqual([
    '0000000000000000',
    '0200000000000000',
    '7E00000000000000',
    '8001000000000000',
    'E003000000000000',
  ])
  expect(decodeState(text('{"size":3,"height":9}'))).toEqual({ size: 3, height: 9 })
  expect(decodeState(undefined)).toEqual({ size: 0, height: 0 })
})

test('default: without a folder the state is in memory', async () => {
  const app = createKvStore({ rules: 'document' })
  await commitBlock(app, 1, ['a=1'])
  expect(await storedUnder(app, 'a')).toBe('1')
  await app.close()
})
