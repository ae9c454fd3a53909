import {
  calculateExistenceRoot,
  iavlSpec,
  ics23,
  tendermintSpec,
  verifyExistence,
  verifyNonExistence,
} from '@confio/ics23'
import { MERKLE_ERRORS, MerkleError, type OperatorDecoder, type ProofOperator } from '@org/types/crypto'
import { checkExistence, type TreeKind } from './shape.ts'

const failed = (message: string, cause?: unknown): MerkleError =>
  new MerkleError(MERKLE_ERRORS.operator, message, { cause })

const SPECS: Readonly<Record<TreeKind, ics23.IProofSpec>> = { iavl: iavlSpec, simple: tendermintSpec }

/**
 * Calls a function of the library `@confio/ics23`, and converts its errors to coded errors. The errors of this library
 * have no code. In one case the library throws the value `true` in place of an error.
 */
function guarded<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof MerkleError) throw error
    throw failed(
      `the proof does not prove the claim: ${error instanceof Error ? error.message : 'a wrong prefix'}`,
      error,
    )
  }
}

interface Claim {
  readonly proof: ics23.ICommitmentProof
  readonly key: Uint8Array
}

/**
 * Computes the root of the tree from a proof, verifies the proof with this root, and returns the root. The caller must
 * check that the root is right. `values` has the value that the tree has for the key. If `values` is empty, the proof
 * must show that the tree does not have the key.
 */
function rootOf(kind: TreeKind, { proof, key }: Claim, values: readonly Uint8Array[]): Uint8Array {
  const { exist, nonexist } = proof
  const [value] = values
  if (values.length > 1) throw failed(`expected at most one value, got ${values.length}`)
  if (value !== undefined) {
    if (exist == null) throw failed('the proof is not about a key that exists')
    checkExistence(kind, exist)
    const root = calculateExistenceRoot(exist)
    verifyExistence(exist, SPECS[kind], root, key, value)
    return root
  }
  const neighbor = nonexist?.left ?? nonexist?.right
  if (nonexist == null || neighbor == null) throw failed('the proof is not about a key that does not exist')
  for (const side of [nonexist.left, nonexist.right]) if (side != null) checkExistence(kind, side)
  const root = calculateExistenceRoot(neighbor)
  verifyNonExistence(nonexist, SPECS[kind], root, key)
  return root
}

const decoder =
  (kind: TreeKind): OperatorDecoder =>
  ({ key, data }): ProofOperator => {
    const proof = guarded(() => ics23.CommitmentProof.decode(data))
    return { key, run: (values) => [guarded(() => rootOf(kind, { proof, key }, values))] }
  }

/**
 * Decoders of the proof operators of a Cosmos SDK application: `ics23:iavl` proves a value in a store, and
 * `ics23:simple` proves the root of a store in the app hash. Only single proofs of existence or of absence are
 * verified. Batch proofs, which stores do not send, are refused.
 */
export const ics23Operators: Readonly<Record<string, OperatorDecoder>> = {
  'ics23:iavl': decoder('iavl'),
  'ics23:simple': decoder('simple'),
}
