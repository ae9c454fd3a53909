import { bytes, field, type Infer, message, optional, repeated, safeInt64, string } from '../schema/index.ts'

export { ProtoPublicKey, PublicKey, type PublicKeySchema } from './public-key.ts'

/** tendermint.crypto.Proof: that a leaf is in a Merkle tree of `total` leaves. */
export const Proof = message('tendermint.crypto.Proof', {
  total: field(1, safeInt64),
  index: field(2, safeInt64),
  leafHash: field(3, bytes, { jsonEmpty: 'null' }),
  aunts: repeated(4, bytes, { jsonNil: 'omit' }),
})
export type Proof = Infer<typeof Proof>

/** tendermint.crypto.ValueOp: the data of a proof operation `simple:v`. */
export const ValueOp = message('tendermint.crypto.ValueOp', {
  key: field(1, bytes, { jsonEmpty: 'omit' }),
  proof: optional(2, Proof, { jsonEmpty: 'omit' }),
})
export type ValueOp = Infer<typeof ValueOp>

/** tendermint.crypto.DominoOp: for tests. */
export const DominoOp = message('tendermint.crypto.DominoOp', {
  key: field(1, string, { jsonEmpty: 'omit' }),
  input: field(2, string, { jsonEmpty: 'omit' }),
  output: field(3, string, { jsonEmpty: 'omit' }),
})
export type DominoOp = Infer<typeof DominoOp>

/** tendermint.crypto.ProofOp: one step of a proof from a leaf to the application hash. */
export const ProofOp = message('tendermint.crypto.ProofOp', {
  type: field(1, string),
  key: field(2, bytes, { jsonEmpty: 'null' }),
  data: field(3, bytes, { jsonEmpty: 'null' }),
})
export type ProofOp = Infer<typeof ProofOp>

/** tendermint.crypto.ProofOps */
export const ProofOps = message('tendermint.crypto.ProofOps', {
  ops: repeated(1, ProofOp),
})
export type ProofOps = Infer<typeof ProofOps>
