import { calculateExistenceRoot, iavlSpec, ics23, verifyExistence } from '@confio/ics23'
import { concatBytes, utf8ToBytes } from '@org/types/bytes'
import {
  decodeValueOp,
  type ProofClaim,
  proofsFromByteSlices,
  sha256,
  VALUE_OP,
  valueLeaf,
  verifyProofOps,
} from '@org/types/crypto'
import { describe, expect, test } from 'vitest'
import { ics23Operators } from '../src/ics23/index.ts'

const { HashOp, LengthOp } = ics23
const byte = (value: number): Uint8Array => Uint8Array.of(value)
/**
 * Returns the beginning of the prefix of an IAVL node: its height, its size and its version, which is 7. Each of these
 * numbers is a zigzag varint of one byte.
 */
const iavlHead = (height: number, size: number): Uint8Array => Uint8Array.of(height * 2, size * 2, 14)

/* An IAVL tree of four keys, made by hand: one inner node has b and d, the other inner node has f and h. */
const PAIRS = ['b', 'd', 'f', 'h'].map((key) => [utf8ToBytes(key), utf8ToBytes(`value of ${key}`)] as const)
const keyOf = (i: number): Uint8Array => (PAIRS[i] as (typeof PAIRS)[number])[0]
const valueAt = (i: number): Uint8Array => (PAIRS[i] as (typeof PAIRS)[number])[1]
const leaves = PAIRS.map(([key, value]) =>
  sha256(concatBytes(iavlHead(0, 1), byte(key.length), key, byte(32), sha256(value))),
)
const leafAt = (i: number): Uint8Array => leaves[i] as Uint8Array
const node = (head: Uint8Array, left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(concatBytes(head, byte(32), left, byte(32), right))
const [left, right] = [node(iavlHead(1, 2), leafAt(0), leafAt(1)), node(iavlHead(1, 2), leafAt(2), leafAt(3))]
const storeRoot = node(iavlHead(2, 4), left, right)

const leafOp: ics23.ILeafOp = {
  hash: HashOp.SHA256,
  prehashKey: HashOp.NO_HASH,
  prehashValue: HashOp.SHA256,
  length: LengthOp.VAR_PROTO,
  prefix: iavlHead(0, 1),
}
const isRight = (head: Uint8Array, sibling: Uint8Array): ics23.IInnerOp => ({
  hash: HashOp.SHA256,
  prefix: concatBytes(head, byte(32), sibling, byte(32)),
  suffix: new Uint8Array(0),
})
const isLeft = (head: Uint8Array, sibling: Uint8Array): ics23.IInnerOp => ({
  hash: HashOp.SHA256,
  prefix: concatBytes(head, byte(32)),
  suffix: concatBytes(byte(32), sibling),
})

function existence(i: number): ics23.IExistenceProof {
  const low = i % 2 === 0 ? isLeft(iavlHead(1, 2), leafAt(i + 1)) : isRight(iavlHead(1, 2), leafAt(i - 1))
  const high = i < 2 ? isLeft(iavlHead(2, 4), right) : isRight(iavlHead(2, 4), left)
  return { key: keyOf(i), value: valueAt(i), leaf: leafOp, path: [low, high] }
}

/* The simple tree over the roots of the stores. Its root is the app hash. */
const STORES = ['bank', 'gov', 'staking'].map(utf8ToBytes)
const others = proofsFromByteSlices(
  STORES.map((name, i) => valueLeaf(name, i === 0 ? storeRoot : utf8ToBytes(`root ${i}`))),
)
const bank: ics23.IExistenceProof = {
  key: STORES[0] as Uint8Array,
  value: storeRoot,
  leaf: { ...leafOp, prefix: byte(0) },
  path: (others.proofs[0]?.aunts ?? []).map((suffix) => ({ hash: HashOp.SHA256, prefix: byte(1), suffix })),
}

const op = (type: string, key: Uint8Array, proof: ics23.ICommitmentProof) => ({
  type,
  key,
  data: ics23.CommitmentProof.encode(proof).finish(),
})

function verify(key: string, proof: ics23.ICommitmentProof, claim: Partial<ProofClaim> = {}): void {
  const ops = [op('ics23:iavl', utf8ToBytes(key), proof), op('ics23:simple', utf8ToBytes('bank'), { exist: bank })]
  verifyProofOps(
    { ops },
    { root: others.root, keyPath: `/bank/${key}`, ...claim },
    {
      ...ics23Operators,
      [VALUE_OP]: decodeValueOp,
    },
  )
}

describe('the proof of a Cosmos SDK store', () => {
  test('a proof that a key has a value is accepted', () => {
    for (const [i, key] of ['b', 'd', 'f', 'h'].entries()) {
      verify(key, { exist: existence(i) }, { value: valueAt(i) })
      expect(() => verify(key, { exist: existence(i) }, { value: utf8ToBytes('another') })).toThrow()
      expect(() => verify(key, { exist: existence(i) })).toThrow('not about a key that does not exist')
    }
  })

  test.each([
    ['a', undefined, 0],
    ['c', 0, 1],
    ['e', 1, 2],
    ['i', 3, undefined],
  ] as const)('a proof that the key %s has no value is accepted', (key, before, after) => {
    const nonexist = {
      key: utf8ToBytes(key),
      ...(before !== undefined && { left: existence(before) }),
      ...(after !== undefined && { right: existence(after) }),
    }
    verify(key, { nonexist })
    expect(() => verify(key, { nonexist }, { value: utf8ToBytes('a value') })).toThrow('not about a key that exists')
  })

  test('a proof that a key is absent is refused if the key has a value', () => {
    const proofs: readonly ics23.INonExistenceProof[] = [
      { left: existence(0), right: existence(2) },
      { left: existence(0) },
      { right: existence(2) },
      { left: existence(1), right: existence(2) },
      { left: existence(2), right: existence(0) },
      {},
    ]
    for (const nonexist of proofs) {
      expect(() => verify('d', { nonexist: { key: utf8ToBytes('d'), ...nonexist } })).toThrow()
    }
  })

  test('each change of a byte that changes the proof is refused', () => {
    const data = ics23.CommitmentProof.encode({ exist: existence(2) }).finish()
    const honest = ics23.CommitmentProof.decode(data).toJSON()
    let refused = 0
    for (let at = 0; at < data.length; at++) {
      const changed = Uint8Array.from(data)
      changed[at] = (changed[at] as number) ^ 1
      try {
        const ops = [
          { ...op('ics23:iavl', keyOf(2), {}), data: changed },
          op('ics23:simple', utf8ToBytes('bank'), { exist: bank }),
        ]
        verifyProofOps({ ops }, { root: others.root, keyPath: '/bank/f', value: valueAt(2) }, ics23Operators)
      } catch (error) {
        expect((error as { code?: string }).code).toMatch(/^MERKLE_/)
        refused++
        continue
      }
      // The library's decoder ignores wire types. A proof with a changed wire type is therefore still the same proof.
      expect(ics23.CommitmentProof.decode(changed).toJSON()).toEqual(honest)
    }
    expect(refused).toBeGreaterThan(80)
  })
})

/**
 * Makes a proof with one inner node that no IAVL tree has. The library computes the root from this proof, and accepts
 * the proof.
 */
function oddProof(step: Partial<ics23.IInnerOp>): ics23.IExistenceProof {
  return { ...existence(0), path: [{ ...isLeft(iavlHead(1, 2), leafAt(1)), ...step }] }
}

test.each([
  ['a suffix of another length', { suffix: new Uint8Array(65).fill(7) }],
  ['a prefix of another length', { prefix: concatBytes(iavlHead(1, 2), new Uint8Array(9).fill(2)) }],
  ['a height that does not grow', { prefix: concatBytes(Uint8Array.of(200, 2, 4, 14), byte(32)) }],
  ['a negative number', { prefix: concatBytes(Uint8Array.of(2, 5, 14), byte(32)) }],
  ['two siblings', { prefix: concatBytes(iavlHead(1, 2), byte(32), leafAt(1), byte(32)) }],
] as const)('a node that the library accepts and that no tree has is refused: %s', (_name, step) => {
  const exist = oddProof(step)
  const root = calculateExistenceRoot(exist)
  verifyExistence(exist, iavlSpec, root, keyOf(0), valueAt(0))
  const claim = { root, keyPath: '/b', value: valueAt(0) }
  expect(() => verifyProofOps({ ops: [op('ics23:iavl', keyOf(0), { exist })] }, claim, ics23Operators)).toThrow(
    expect.objectContaining({ code: 'MERKLE_OPERATOR' }),
  )
})

test('batches and proofs without content are refused', () => {
  for (const proof of [{}, { batch: { entries: [{ exist: existence(0) }] } }, { exist: {} }]) {
    expect(() => verify('b', proof, { value: valueAt(0) })).toThrow(
      expect.objectContaining({ code: 'MERKLE_OPERATOR' }),
    )
  }
})
