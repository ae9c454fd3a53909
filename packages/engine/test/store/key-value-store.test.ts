import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpackHome } from '@org/golden'
import { utf8ToBytes } from '@org/types/bytes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STORE_ERRORS } from '../../src/store/errors.ts'
import { createMemoryStore, openLevelStore, put } from '../../src/store/kv/index.ts'
import { storeError } from '../../src/store/kv/level-error.ts'
import { collect, describeKeyValueStore } from './compliance.ts'

let root: string
let count = 0
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'halley-store-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

describeKeyValueStore('memory', async () => createMemoryStore())
describeKeyValueStore('LevelDB', () => openLevelStore(join(root, `db${count++}`)))

describe('openLevelStore', () => {
  it('default: written data is present after the database is opened again', async () => {
    const path = join(root, 'again', 'deep.db')
    const store = await openLevelStore(path)
    await store.write([put(utf8ToBytes('a'), utf8ToBytes('1'))], { sync: true })
    await store.close()
    const again = await openLevelStore(path, { createIfMissing: false })
    expect(again.get(utf8ToBytes('a'))).toEqual(utf8ToBytes('1'))
    await again.close()
  })

  it('behavior: closing leaves nothing in the log, because the Go node skips batches that were written while a table was made', async () => {
    const path = join(root, 'swapped.db')
    const store = await openLevelStore(path, { writeBufferSize: 64 * 1024 })
    const value = new Uint8Array(4096)
    await Promise.all(Array.from({ length: 100 }, (_, i) => store.write([put(utf8ToBytes(`${i}`), value)])))
    await store.close()
    const logs = (await readdir(path)).filter((name) => name.endsWith('.log'))
    expect(await Promise.all(logs.map(async (name) => (await stat(join(path, name))).size))).toEqual([0])
    const again = await openLevelStore(path)
    expect(await collect(again.keys())).toHaveLength(100)
    await again.close()
  })

  it('behavior: the databases of a Go node open', async () => {
    const home = join(root, 'go-home')
    await unpackHome('kvstore-single/home.tar.gz', home)
    for (const name of ['blockstore', 'state', 'tx_index', 'evidence']) {
      const store = await openLevelStore(join(home, 'data', `${name}.db`), { createIfMissing: false })
      const keys = await collect(store.keys())
      if (name !== 'evidence') expect(keys.length).toBeGreaterThan(100)
      await store.close()
    }
  })

  it('error: a second opening is refused as locked', async () => {
    const path = join(root, 'locked.db')
    const store = await openLevelStore(path)
    await expect(openLevelStore(path)).rejects.toMatchObject({ code: STORE_ERRORS.locked, data: { path } })
    await store.close()
  })

  it('error: refuses to open a missing database', async () => {
    const path = join(root, 'nothing.db')
    await expect(openLevelStore(path, { createIfMissing: false })).rejects.toMatchObject({ code: STORE_ERRORS.missing })
  })

  it('error: refuses a corrupt database', async () => {
    const path = join(root, 'corrupt.db')
    await (await openLevelStore(path)).close()
    await writeFile(join(path, 'CURRENT'), 'garbage')
    await expect(openLevelStore(path)).rejects.toMatchObject({ code: STORE_ERRORS.corrupt })
  })

  it.each([
    ['LEVEL_IO_ERROR', 'IO error: /x/000003.log: No space left on device', STORE_ERRORS.full],
    ['LEVEL_IO_ERROR', 'IO error: /x/MANIFEST-000002: Read-only file system', STORE_ERRORS.readOnly],
    ['LEVEL_IO_ERROR', 'IO error: /x/LOCK: Permission denied', STORE_ERRORS.denied],
    ['LEVEL_CORRUPTION', 'Corruption: bad entry in block', STORE_ERRORS.corrupt],
    ['LEVEL_IO_ERROR', 'IO error: /x/000005.ldb: Input/output error', STORE_ERRORS.io],
    [undefined, 'Operation failed', STORE_ERRORS.io],
  ])('error: %s "%s" is %s', (code, message, expected) => {
    const cause = Object.assign(new Error(message), { code })
    expect(storeError(new Error('Database failed', { cause }), '/x')).toMatchObject({
      code: expected,
      data: { path: '/x' },
    })
  })

  it.skipIf(process.getuid?.() === 0)('error: reports a folder without write permission (not as root)', async () => {
    const path = join(root, 'readonly')
    await (await openLevelStore(path)).close()
    await chmod(path, 0o500)
    await expect(openLevelStore(path)).rejects.toMatchObject({ code: STORE_ERRORS.denied })
    await chmod(path, 0o700)
  })
})
