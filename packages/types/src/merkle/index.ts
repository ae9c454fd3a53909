export { MERKLE_ERRORS, MerkleError, type MerkleErrorCode } from './errors.ts'
export {
  decodeValueOp,
  keyPathToKeys,
  makeValueOp,
  type OperatorDecoder,
  type ProofClaim,
  type ProofOperator,
  VALUE_OP,
  valueLeaf,
  verifyProofOps,
} from './operators.ts'
export {
  computeRootHash,
  createProver,
  isProofValid,
  MAX_AUNTS,
  type Prover,
  proofsFromByteSlices,
  validateProofBasic,
  verifyProof,
} from './proof.ts'
export { hashFromByteSlices, innerHash, leafHash } from './tree.ts'
