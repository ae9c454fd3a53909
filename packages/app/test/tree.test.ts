import { calculateExistenceRoot, iavlSpec, ics23, verifyNonExistence } from '@confio/ics23'
import { ics23Operators } from '@org/light/ics23'
import { bytesToHex, compareBytes, utf8ToBytes } from '@org/types/bytes'
import { verifyProofOps } from '@org/types/crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryStorage, type Storage } from '../src/index.ts'
import {
  type Child,
  CommitmentProof,
  type Edit,
  find,
  hashOf,
  insert,
  leavesOf,
  openVersions,
  PROOF_TYPE,
  prove,
  remove,
  type Versions,
} from '../src/tree/index.ts'

const key = (text: string): Uint8Array => utf8ToBytes(text)

/** Writes pairs as the next version; `undefined` removes a key. */
async function commit(versions: Versions, changes: Readonly<Record<string, string | undefined>>): Promise<void> {
  const { version, tree: last } = versions.last()
  const edit: Edit = { load: versions.load, version: version + 1, orphans: [] }
  let tree: Child | undefined = last
  for (const [name, value] of Object.entries(changes)) {
    const leaf = { kind: 'leaf', key: key(name), value: key(value ?? ''), version: edit.version } as const
    tree = value === undefined ? remove(edit, tree, key(name)) : insert(edit, tree, leaf)
  }
  await versions.save(tree, edit, 0)
}

const pairsOf = (versions: Versions, version: number): Record<string, string> => {
  const { tree } = versions.at(version)
  const text = new TextDecoder()
  return Object.fromEntries(
    [...leavesOf({ tree, load: versions.load })].map((leaf) => [text.decode(leaf.key), text.decode(leaf.value)]),
  )
}

/** Counts the pairs of a storage. */
function countedStorage(): Storage & { readonly keys: Set<string> } {
  const inner = createMemoryStorage()
  const keys = new Set<string>()
  return {
    ...inner,
    keys,
    write: async (ops) => {
      for (const op of ops) keys[op.type === 'put' ? 'add' : 'delete'](bytesToHex(op.key))
      await inner.write(ops)
    },
  }
}

const changesArbitrary = fc.array(
  fc.dictionary(fc.string({ minLength: 1, maxLength: 2 }), fc.option(fc.string({ minLength: 1 }), { nil: undefined }), {
    maxKeys: 12,
    noNullPrototype: true,
  }),
  { minLength: 1, maxLength: 12 },
)

describe('the versions of a tree', () => {
  test('every kept version has its pairs, also after the storage is opened again', async () => {
    await fc.assert(
      fc.asyncProperty(changesArbitrary, async (blocks) => {
        const storage = createMemoryStorage()
        const versions = openVersions(storage, 3)
        let model: Record<string, string> = {}
        const models: Record<string, string>[] = []
        for (const changes of blocks) {
          await commit(versions, changes)
          model = { ...model }
          for (const [name, value] of Object.entries(changes)) {
            if (value === undefined) delete model[name]
            else model[name] = value
          }
          models.push(model)
        }
        for (const opened of [versions, openVersions(storage, 3)]) {
          expect(opened.last().version).toBe(blocks.length)
          for (let version = Math.max(1, blocks.length - 2); version <= blocks.length; version++) {
            expect(pairsOf(opened, version)).toEqual(models[version - 1])
          }
          expect(() => opened.at(blocks.length + 1)).toThrow(expect.objectContaining({ code: 'APP_NO_VERSION' }))
          if (blocks.length > 3) expect(() => opened.at(blocks.length - 3)).toThrow('is not stored')
        }
      }),
      { numRuns: 60 },
    )
  })

  test('the storage has only the nodes of the kept versions', async () => {
    await fc.assert(
      fc.asyncProperty(changesArbitrary, async (blocks) => {
        const storage = countedStorage()
        const versions = openVersions(storage, 2)
        for (const changes of blocks) await commit(versions, changes)
        const before = Object.keys(pairsOf(versions, versions.last().version))
        await commit(versions, Object.fromEntries(before.map((name) => [name, undefined])))
        // The storage keeps the last two versions. These are now the last version with pairs, and one empty version.
        // The loop commits three more empty versions, so the storage then keeps empty versions only.
        for (let extra = 0; extra < 3; extra++) await commit(versions, {})
        const nodes = [...storage.keys].filter((name) => name.startsWith('6e') || name.startsWith('6E'))
        expect(nodes).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  test('the tree is balanced, and its order is that of the bytes', async () => {
    const versions = openVersions(createMemoryStorage(), 2)
    const names = Array.from({ length: 1000 }, (_, i) => String(i).padStart(4, '0'))
    await commit(versions, Object.fromEntries(names.map((name) => [name, name])))
    const { tree } = versions.last()
    const root = versions.load(hashOf(tree as Child))
    expect(root.kind === 'inner' && root.height).toBeLessThanOrEqual(14)
    const range = { from: key('0100'), before: key('0103') }
    const found = (options: object) =>
      [...leavesOf({ tree, load: versions.load }, { ...range, ...options })].map((leaf) => bytesToHex(leaf.key))
    expect(found({})).toEqual(['0100', '0101', '0102'].map((name) => bytesToHex(key(name))))
    expect(found({ reverse: true })).toEqual(found({}).reverse())
    const all = [...leavesOf({ tree, load: versions.load })]
    expect(all.every((leaf, i) => i === 0 || compareBytes((all[i - 1] as typeof leaf).key, leaf.key) < 0)).toBe(true)
  })

  test('a change of one key writes only the nodes on the way to the root', async () => {
    const storage = countedStorage()
    const versions = openVersions(storage, 2)
    await commit(versions, Object.fromEntries(Array.from({ length: 4096 }, (_, i) => [`key ${i}`, 'value'])))
    const before = storage.keys.size
    await commit(versions, { 'key 7': 'another' })
    // A change of one key writes the nodes on the way to the root, the entry of the root, and the list of orphans.
    expect(storage.keys.size - before).toBeLessThanOrEqual(20)
  })

  test('a storage that another layout made, or that lacks a node, is refused', async () => {
    const storage = createMemoryStorage()
    const versions = openVersions(storage, 2)
    await commit(versions, { a: '1', b: '2' })
    const root = versions.last().hash
    await storage.write([{ type: 'del', key: Uint8Array.of(0x6e, ...root) }])
    const opened = openVersions(storage, 2)
    expect(() => find(opened.last().tree, opened.load, key('a'))).toThrow(
      expect.objectContaining({ code: 'APP_BAD_STATE' }),
    )
    await storage.write([{ type: 'put', key: Uint8Array.of(0x6d), value: Uint8Array.of(8, 9) }])
    expect(() => openVersions(storage, 2)).toThrow(expect.objectContaining({ code: 'APP_BAD_STATE' }))
  })
})

describe('proofs', () => {
  test('every key and every gap of a tree is proved', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 40 }),
        fc.string({ minLength: 1, maxLength: 3 }),
        async (names, other) => {
          const versions = openVersions(createMemoryStorage(), 2)
          await commit(versions, Object.fromEntries(names.map((name) => [name, `value of ${name}`])))
          const { tree, hash } = versions.last()
          for (const name of [...names, other]) {
            const leaf = find(tree, versions.load, key(name))
            const data = CommitmentProof.encode(prove({ tree: tree as Child, load: versions.load }, key(name)))
            const claim = { root: hash, keyPath: `/x:${bytesToHex(key(name))}` }
            const ops = [{ type: PROOF_TYPE, key: key(name), data }]
            verifyProofOps({ ops }, leaf === undefined ? claim : { ...claim, value: leaf.value }, ics23Operators)
            const lie = leaf === undefined ? { ...claim, value: key('a lie') } : claim
            expect(() => verifyProofOps({ ops }, lie, ics23Operators)).toThrow()
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  test('the library of ICS-23 reads the same messages', async () => {
    const versions = openVersions(createMemoryStorage(), 2)
    await commit(versions, { a: '1', c: '3', e: '5' })
    const { tree, hash } = versions.last()
    const within = { tree: tree as Child, load: versions.load }
    const exist = ics23.CommitmentProof.decode(CommitmentProof.encode(prove(within, key('c')))).exist
    expect(calculateExistenceRoot(exist as ics23.IExistenceProof)).toEqual(hash)
    const { nonexist } = ics23.CommitmentProof.decode(CommitmentProof.encode(prove(within, key('d'))))
    verifyNonExistence(nonexist as ics23.INonExistenceProof, iavlSpec, hash, key('d'))
  })
})
