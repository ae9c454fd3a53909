import { bytesToHex, concatBytes, concatList, equalBytes, hexToBytes, utf8ToBytes } from '../bytes/index.ts'
import { sha256 } from '../crypto/hash.ts'
import { type Proof, type ProofOp, type ProofOps, ValueOp } from '../crypto/wire.ts'
import { MERKLE_ERRORS, MerkleError } from './errors.ts'
import { computeRootHash, validateProofBasic } from './proof.ts'
import { leafHash } from './tree.ts'

/** The type of a proof operator that leads from a value in a simple map to the root of the map. */
export const VALUE_OP = 'simple:v'

/**
 * One step of a proof that leads through several trees. The step belongs to one tree. It takes values of this tree, and
 * returns the root of this tree, which is a value in the next tree.
 */
export interface ProofOperator {
  /**
   * The key of the value in this operator's tree, which is one part of the key path; empty if the operator uses no key.
   */
  readonly key: Uint8Array
  readonly run: (values: readonly Uint8Array[]) => readonly Uint8Array[]
}

/**
 * A function that makes a {@link ProofOperator} from one step of a proof. Throws {@link MerkleError} if the data of the
 * step is invalid.
 */
export type OperatorDecoder = (op: ProofOp) => ProofOperator

const failed = (message: string): MerkleError => new MerkleError(MERKLE_ERRORS.operator, message)
const text = new TextDecoder()

function uvarint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest & 0x7f) | 0x80)
  bytes.push(rest)
  return Uint8Array.from(bytes)
}

const withLength = (bytes: Uint8Array): Uint8Array => concatBytes(uvarint(bytes.length), bytes)

/**
 * Returns the leaf of a key and a value in a simple map: the key and the SHA-256 of the value, each with its length.
 */
export function valueLeaf(key: Uint8Array, value: Uint8Array): Uint8Array {
  return concatBytes(withLength(key), withLength(sha256(value)))
}

/** Returns the operator that proves the value of `key` in a tree of keys and values. */
export function makeValueOp(key: Uint8Array, proof: Proof): ProofOp {
  return { type: VALUE_OP, key, data: ValueOp.encode(ValueOp.create({ key, proof })) }
}

/** Makes the operator of a proof operation of the type {@link VALUE_OP}. Throws {@link MerkleError}. */
export const decodeValueOp: OperatorDecoder = (op) => {
  if (op.type !== VALUE_OP) throw failed(`unexpected ProofOp.Type; got ${op.type}, want ${VALUE_OP}`)
  const { proof } = ValueOp.decode(op.data)
  if (proof === undefined) throw failed('nil proof')
  validateProofBasic(proof)
  return {
    key: op.key,
    run: (values) => {
      const [value] = values
      if (value === undefined || values.length !== 1) throw failed(`expected 1 arg, got ${values.length}`)
      const leaf = leafHash(valueLeaf(op.key, value))
      if (!equalBytes(leaf, proof.leafHash)) {
        throw failed(`leaf hash mismatch: want ${bytesToHex(proof.leafHash)} got ${bytesToHex(leaf)}`)
      }
      return [computeRootHash(proof)]
    },
  }
}

/**
 * Returns the keys of a path such as `/App/x:0102`, whose parts are URL-escaped text or hex. Throws
 * {@link MerkleError}.
 */
export function keyPathToKeys(path: string): Uint8Array[] {
  if (!path.startsWith('/')) {
    throw new MerkleError(MERKLE_ERRORS.keyPath, "key path string must start with a forward slash '/'")
  }
  return path
    .slice(1)
    .split('/')
    .map((part, index) => {
      const hex = part.startsWith('x:')
      const key = hex ? hexToBytes(part.slice(2)) : percentDecode(part)
      if (key === undefined) {
        const form = hex ? 'hex' : 'url'
        throw new MerkleError(MERKLE_ERRORS.keyPath, `decoding ${form}-encoded part #${index}: /${part}`)
      }
      return key
    })
}

/** Decodes `%xx`. The decoded bytes may be invalid UTF-8, which decodeURIComponent refuses. */
function percentDecode(part: string): Uint8Array | undefined {
  if (/%(?![0-9a-fA-F]{2})/.test(part)) return undefined
  const pieces = part.split(/(%[0-9a-fA-F]{2})/)
  return concatList(
    pieces.map((piece) => (piece.startsWith('%') ? (hexToBytes(piece.slice(1)) as Uint8Array) : utf8ToBytes(piece))),
  )
}

/**
 * The claim that a proof must prove: the tree with this root has the value at the path. `keyPath` has one part for each
 * tree that has keys, such as `/store/x:6B6579`.
 */
export interface ProofClaim {
  readonly root: Uint8Array
  readonly keyPath: string
  /** The value at the path. If it is left out, the claim is that the path has no value. */
  readonly value?: Uint8Array
}

/**
 * Throws {@link MerkleError} unless the chain of operators proves the claim. `decoders` has a decoder for each type of
 * operator that is accepted. By default, only the type {@link VALUE_OP} is accepted.
 */
export function verifyProofOps(
  proof: ProofOps,
  claim: ProofClaim,
  decoders: Readonly<Record<string, OperatorDecoder>> = { [VALUE_OP]: decodeValueOp },
): void {
  const operators = proof.ops.map((op) => {
    const decode = Object.hasOwn(decoders, op.type) ? decoders[op.type] : undefined
    if (decode === undefined) throw failed(`unrecognized proof type ${op.type}`)
    return decode(op)
  })
  const keys = keyPathToKeys(claim.keyPath)
  let values: readonly Uint8Array[] = claim.value === undefined ? [] : [claim.value]
  for (const [index, { key, run }] of operators.entries()) {
    if (key.length > 0) {
      const last = keys.pop()
      if (last === undefined) {
        const message = `key path has insufficient # of parts: expected no more keys but got ${text.decode(key)}`
        throw new MerkleError(MERKLE_ERRORS.keyPath, message)
      }
      if (!equalBytes(last, key)) {
        const message = `key mismatch on operation #${index}: expected ${text.decode(last)} but got ${text.decode(key)}`
        throw new MerkleError(MERKLE_ERRORS.keyPath, message)
      }
    }
    values = run(values)
  }
  const [root] = values
  if (root === undefined || !equalBytes(root, claim.root)) {
    const got = root === undefined ? '' : bytesToHex(root)
    const message = `calculated root hash is invalid: expected ${bytesToHex(claim.root)} but got ${got}`
    throw new MerkleError(MERKLE_ERRORS.rootMismatch, message)
  }
  if (keys.length > 0) throw new MerkleError(MERKLE_ERRORS.keyPath, 'keypath not consumed all')
}
