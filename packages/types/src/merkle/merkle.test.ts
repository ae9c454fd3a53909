import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToHex, concatBytes, utf8ToBytes } from '../bytes/index.ts'
import { sha256 } from '../crypto/index.ts'
import {
  computeRootHash,
  hashFromByteSlices,
  innerHash,
  isProofValid,
  keyPathToKeys,
  leafHash,
  makeValueOp,
  proofsFromByteSlices,
  validateProofBasic,
  valueLeaf,
  verifyProof,
  verifyProofOps,
} from './index.ts'
import { hashFromEqualLeaves } from './tree.ts'

/**
 * Results of the reference for the leaves "leaf 0", "leaf 1" and so on: the number of leaves, the root, and the SHA-256
 * over the aunts of all proofs, with a byte 0 after each proof.
 */
const VECTORS = [
  [
    0,
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  ],
  [
    1,
    '1bb97dcc21635d47e2663efdfd0a174686d98dd701352dd2cd06e8b43fd3d305',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  ],
  [
    2,
    'fc5f6b88ff8554f75bb2f9e6f39c31b1936d44b69276edf7b1205a955b9761e3',
    'd0e5683530c50541b87891ec7a967a1b2ba682f364328d7e2e2a0d314ee1c126',
  ],
  [
    3,
    'd4f92c8fbb89720eb3b55677c7d7efaddfeb10d11a1a84a0ba8f1a23337faa95',
    '399044f4cb12b2c605da407a8eb7f465d5d83ad41575653d9dcacee600fd2326',
  ],
  [
    5,
    '341515982d650e23520dbd54d7fcf0afa1b70cc3a16a411d464dc9c1ac96c301',
    '165386098adea1045f308e8ea330f74a1628a3e6635842c9e97c088d35a4337b',
  ],
  [
    8,
    'c5c2c820ed342fdda8ce896b6b9cf5b8c00a21cc4b20714cc6e5d3c05c35240b',
    'c68a5ada7a01388d4901d6f9a9b254347ea18afd7a360ad939bc7c70bca4c362',
  ],
  [
    13,
    'cf9b4c2a44a7caa722d5d548ee64ff90a119b0c31acac3444dc583000a39d3ca',
    '1abbd20fab87737877815daa4222bf5a9066bd2258eae1e5e307ef35cd53e43b',
  ],
  [
    100,
    '13f88915c560dc911a1da0fb209d84a20971051f294ebeb428fb3fc293af2743',
    'a53345742c968d17405c5b117c000bf418f08c9f0151c713812638a9ed63c144',
  ],
  [
    1000,
    '2ff33fb9d8f14f89ca306289633336a168ff3f4532e8f741a0019dcb4c1d60a1',
    '7e25cc48c8b59a755a5076322fb40abd4b2b204850b5f8f8b5bc7f5b4fb8108f',
  ],
] as const

const leavesOf = (count: number) => Array.from({ length: count }, (_, i) => utf8ToBytes(`leaf ${i}`))

/** Computes the root by its definition, which splits the leaves at the largest power of two below their number. */
function byDefinition(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256(new Uint8Array(0))
  if (leaves.length === 1) return leafHash(leaves[0] as Uint8Array)
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return innerHash(byDefinition(leaves.slice(0, split)), byDefinition(leaves.slice(split)))
}

describe('tree', () => {
  test.each(VECTORS)('default: %i leaves give the root and proofs of the reference', (count, root, aunts) => {
    const leaves = leavesOf(count)
    expect(bytesToHex(hashFromByteSlices(leaves)).toLowerCase()).toBe(root)
    const made = proofsFromByteSlices(leaves)
    expect(bytesToHex(made.root).toLowerCase()).toBe(root)
    const trail = made.proofs.flatMap((proof) => [...proof.aunts, new Uint8Array(1)])
    expect(bytesToHex(sha256(concatBytes(...trail))).toLowerCase()).toBe(aunts)
  })

  test('behavior: leaves of any number and length give the root of the definition', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 40 }), (leaves) => {
        const { root, proofs } = proofsFromByteSlices(leaves)
        expect(root).toEqual(byDefinition(leaves))
        expect(hashFromByteSlices(leaves)).toEqual(root)
        for (const [i, proof] of proofs.entries()) {
          validateProofBasic(proof)
          verifyProof(proof, root, leaves[i] as Uint8Array)
        }
      }),
    )
  })
})

describe('proof', () => {
  const leaves = leavesOf(6)
  const { root, proofs } = proofsFromByteSlices(leaves)
  const proof = proofs[4] as (typeof proofs)[number]
  const leaf = leaves[4] as Uint8Array

  test('error: a proof with another leaf, root, index, total or number of aunts is refused', () => {
    expect(isProofValid(proof, root, leaf)).toBe(true)
    expect(() => verifyProof(proof, root, utf8ToBytes('x'))).toThrow(/^invalid leaf hash: wanted [0-9A-F]{64} got/)
    expect(() => verifyProof(proof, sha256(root), leaf)).toThrow(/^invalid root hash: wanted/)
    expect(isProofValid({ ...proof, index: 3 }, root, leaf)).toBe(false)
    expect(() => verifyProof({ ...proof, index: 6 }, root, leaf)).toThrow(
      'compute root hash: invalid index 6 and/or total 6',
    )
    expect(() => verifyProof({ ...proof, total: -1 }, root, leaf)).toThrow('proof total must be positive')
    expect(() => verifyProof({ ...proof, index: -1 }, root, leaf)).toThrow('proof index cannot be negative')
    expect(() => computeRootHash({ ...proof, aunts: [] })).toThrow('expected at least one inner hash')
    expect(() => computeRootHash({ ...proof, aunts: [...proof.aunts, root] })).toThrow('unexpected inner hashes')
    expect(() => computeRootHash({ ...proof, total: 2 ** 53 - 1 })).toThrow('expected at least one inner hash')
  })

  test('error: a proof with a negative number, a wrong hash size or too many aunts is refused', () => {
    expect(() => validateProofBasic({ ...proof, total: -1 })).toThrow('negative Total')
    expect(() => validateProofBasic({ ...proof, index: -1 })).toThrow('negative Index')
    expect(() => validateProofBasic({ ...proof, leafHash: leaf })).toThrow('expected LeafHash size to be 32, got 6')
    expect(() => validateProofBasic({ ...proof, aunts: [leaf] })).toThrow('expected Aunts#0 size to be 32, got 6')
    const aunts = Array.from({ length: 101 }, () => root)
    expect(() => validateProofBasic({ ...proof, aunts })).toThrow('expected no more than 100 aunts, got 101')
  })
})

describe('operators', () => {
  const keys = ['a', 'b', 'c'].map(utf8ToBytes)
  const value = utf8ToBytes('value')
  const { root, proofs } = proofsFromByteSlices(keys.map((key) => valueLeaf(key, value)))
  const op = makeValueOp(keys[1] as Uint8Array, proofs[1] as (typeof proofs)[number])

  test('default: a proof of a value in a map is accepted', () => {
    verifyProofOps({ ops: [op] }, { root, keyPath: '/b', value })
    verifyProofOps({ ops: [op] }, { root, keyPath: '/x:62', value })
  })

  test('error: a proof of another value, key, root or type is refused', () => {
    expect(() => verifyProofOps({ ops: [op] }, { root, keyPath: '/b', value: root })).toThrow(/^leaf hash mismatch/)
    expect(() => verifyProofOps({ ops: [op] }, { root, keyPath: '/a', value })).toThrow(
      'key mismatch on operation #0: expected a but got b',
    )
    expect(() => verifyProofOps({ ops: [op] }, { root, keyPath: '/a/b', value })).toThrow('keypath not consumed all')
    expect(() => verifyProofOps({ ops: [op] }, { root: value, keyPath: '/b', value })).toThrow(
      /^calculated root hash is invalid/,
    )
    expect(() => verifyProofOps({ ops: [op, op] }, { root, keyPath: '/b', value })).toThrow(
      'key path has insufficient # of parts: expected no more keys but got b',
    )
    expect(() => verifyProofOps({ ops: [{ ...op, type: 'ics23:iavl' }] }, { root, keyPath: '/b', value })).toThrow(
      'unrecognized proof type ics23:iavl',
    )
    expect(() => verifyProofOps({ ops: [op] }, { root, keyPath: '/b' })).toThrow('expected 1 arg, got 0')
  })

  test('behavior: key paths are decoded from URL-escaped text and hex', () => {
    expect(keyPathToKeys('/App/%C3%A4%2F/x:0102')).toEqual([utf8ToBytes('App'), utf8ToBytes('ä/'), Uint8Array.of(1, 2)])
    expect(keyPathToKeys('/%ff')).toEqual([Uint8Array.of(0xff)])
    expect(() => keyPathToKeys('App')).toThrow("key path string must start with a forward slash '/'")
    expect(() => keyPathToKeys('/x:0')).toThrow('decoding hex-encoded part #0')
    expect(() => keyPathToKeys('/%4')).toThrow('decoding url-encoded part #0')
  })
})

test('default: equal leaves give the same root as a tree over all of them', () => {
  const leaf = Uint8Array.of(1, 2, 3)
  for (let count = 1; count <= 130; count++) {
    expect(hashFromEqualLeaves(leaf, count)).toEqual(
      hashFromByteSlices(Array.from({ length: count }, () => leaf.slice())),
    )
    expect(hashFromByteSlices(Array.from({ length: count }, () => leaf))).toEqual(hashFromEqualLeaves(leaf, count))
  }
})
