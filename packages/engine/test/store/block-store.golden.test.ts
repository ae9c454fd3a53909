import { STORE_DUMPS } from '@org/golden'
import { BlockMeta, Commit, ExtendedCommit, hashHeader, makePartSet, Part } from '@org/types'
import { bytesToHex, concatBytes } from '@org/types/bytes'
import { describe, expect, it } from 'vitest'
import { type BlockStore, createBlockStore, createMemoryStore, type KeyValueStore } from '../../src/store/index.ts'
import { collect } from './compliance.ts'
import { dumpOf, type Pairs, printable, storeOf, textOf } from './dumps.ts'

const heightsOf = (store: BlockStore): number[] =>
  Array.from({ length: store.size() }, (_, i) => store.base() + i).filter((at) => store.loadBlock(at) !== undefined)

/**
 * Loads the value of each key with the methods of the block store, and returns keys and values in their stored form.
 */
function loadEverything(store: BlockStore, pairs: Pairs): string[] {
  return pairs.map(([key]) => {
    const name = printable(key)
    const [kind, first = '', second = ''] = name.split(':')
    const at = Number(first)
    const bytes = (): Uint8Array | undefined => {
      switch (kind) {
        case 'H':
          return BlockMeta.encode(store.loadBlockMeta(at) as BlockMeta)
        case 'P':
          return Part.encode(store.loadBlockPart(at, Number(second)) as Part)
        case 'C':
          return Commit.encode(store.loadBlockCommit(at) as Commit)
        case 'SC':
          return Commit.encode(store.loadSeenCommit(at) as Commit)
        case 'EC':
          return ExtendedCommit.encode(store.loadExtendedCommit(at) as ExtendedCommit)
        default:
          return undefined
      }
    }
    if (kind === 'BH') {
      const hash = Uint8Array.from(Buffer.from(first, 'hex'))
      const meta = store.loadBlockMetaByHash(hash) as BlockMeta
      return `${name} = ${bytesToHex(new TextEncoder().encode(String(meta.header.height)))}`
    }
    if (kind === 'blockStore') return name
    return `${name} = ${bytesToHex(bytes() as Uint8Array)}`
  })
}

/** Saves the blocks of `from` into an empty store, as a node that commits them would. */
async function saveAgain(from: BlockStore, db: KeyValueStore): Promise<BlockStore> {
  const to = createBlockStore({}, { db })
  for (const at of heightsOf(from)) {
    const block = from.loadBlock(at) as NonNullable<ReturnType<BlockStore['loadBlock']>>
    const { total } = (from.loadBlockMeta(at) as BlockMeta).blockId.partSetHeader
    const bytes = Array.from({ length: total }, (_, i) => (from.loadBlockPart(at, i) as Part).bytes)
    const parts = makePartSet(concatBytes(...bytes))
    const extendedCommit = from.loadExtendedCommit(at)
    if (extendedCommit === undefined) {
      await to.saveBlock({ block, parts, seenCommit: from.loadSeenCommit(at) as Commit })
    } else {
      await to.saveBlockWithExtendedCommit({ block, parts, extendedCommit })
    }
  }
  return to
}

describe.each(STORE_DUMPS)('block store of %s', (path) => {
  const pairs = dumpOf(path, 'blockstore')

  it('default: every key is read', async () => {
    const store = createBlockStore({}, { db: await storeOf(pairs) })
    expect(store.size()).toBeGreaterThan(0)
    expect(loadEverything(store, pairs)).toEqual(
      textOf(pairs).map((line) => (line.startsWith('blockStore') ? 'blockStore' : line)),
    )
  })

  it('default: hashes lead to their blocks', async () => {
    const store = createBlockStore({}, { db: await storeOf(pairs) })
    for (const at of heightsOf(store)) {
      const { hash } = (store.loadBlockMeta(at) as BlockMeta).blockId
      const block = store.loadBlockByHash(hash)
      expect(block?.header.height).toBe(at)
      expect(hashHeader((block as NonNullable<typeof block>).header)).toEqual(hash)
    }
  })

  it('behavior: the blocks saved again give the same keys and values', async () => {
    const from = createBlockStore({}, { db: await storeOf(pairs) })
    const db = createMemoryStore()
    await saveAgain(from, db)
    const saved = textOf(await collect(db.iterate()))
    const recorded = new Set(textOf(pairs))
    // Pruning has removed the commit below the base from the recorded store. The new store `db` has this commit,
    // because the block at the base contains it.
    const below = `C:${from.base() - 1} `
    expect(saved.filter((line) => !recorded.has(line) && !line.startsWith(below))).toEqual([])
    // `saveAgain` has copied the blocks of the recorded store into an empty store. The copy must have all entries of
    // these blocks. It does not have the entries of removed blocks that pruning or state sync left in the recorded
    // database.
    const heights = new Set(heightsOf(from))
    const gone = textOf(pairs).filter((line) => !saved.includes(line))
    expect(gone.filter((line) => heights.has(Number(/^(?:H|P|SC|EC):(\d+)/.exec(line)?.[1])))).toEqual([])
  })
})
