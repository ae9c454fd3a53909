import { readFileSync } from 'node:fs'
import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { expect, test } from 'vitest'
import { createMemoryStorage } from '../src/index.ts'
import { type Child, type Edit, insert, openVersions, remove } from '../src/tree/index.ts'

/**
 * The root hashes that github.com/cosmos/iavl v1.2.2 computed. The Go program that computed them is in the same folder.
 */
const ROOTS = JSON.parse(readFileSync(new URL('vectors/iavl-roots.json', import.meta.url), 'utf8')) as readonly string[]

/**
 * Returns the generator of pseudo-random numbers that the Go program also uses: a linear congruential generator of 32
 * bits.
 */
function numbers(): (limit: number) => number {
  let seed = 7
  return (limit) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return (seed >>> 8) % limit
  }
}

test('the tree has the roots of the Cosmos SDK after the same changes', async () => {
  const next = numbers()
  const versions = openVersions(createMemoryStorage(), 2)
  const roots: string[] = []
  for (let version = 1; version <= ROOTS.length; version++) {
    const edit: Edit = { load: versions.load, version, orphans: [] }
    let tree: Child | undefined = versions.last().tree
    const count = 1 + next(30)
    for (let i = 0; i < count; i++) {
      const key = utf8ToBytes(`key ${next(60)}`)
      if (next(3) === 0) tree = remove(edit, tree, key)
      else tree = insert(edit, tree, { kind: 'leaf', key, value: utf8ToBytes(`value ${next(1000)}`), version })
    }
    await versions.save(tree, edit, 0)
    roots.push(bytesToHex(versions.last().hash).toLowerCase())
  }
  expect(roots).toEqual(ROOTS)
})
