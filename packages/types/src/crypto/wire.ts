import {
  bytes,
  field,
  type Infer,
  type MessageSchema,
  message,
  optional,
  repeated,
  safeInt64,
  string,
} from '../schema/index.ts'

export { ProtoPublicKey, PublicKey, type PublicKeySchema } from './public-key.ts'

const proofSchema = message('tendermint.crypto.Proof', {
  total: field(1, safeInt64),
  index: field(2, safeInt64),
  leafHash: field(3, bytes, { jsonEmpty: 'null' }),
  aunts: repeated(4, bytes, { jsonNil: 'omit' }),
})
/** tendermint.crypto.Proof: the proof that a leaf is in a Merkle tree of `total` leaves. */
export interface Proof extends Infer<typeof proofSchema> {}
export const Proof: MessageSchema<Proof> = proofSchema

const valueOpSchema = message('tendermint.crypto.ValueOp', {
  key: field(1, bytes, { jsonEmpty: 'omit' }),
  proof: optional(2, Proof, { jsonEmpty: 'omit' }),
})
/** tendermint.crypto.ValueOp: the data of a proof operation `simple:v`. */
export interface ValueOp extends Infer<typeof valueOpSchema> {}
export const ValueOp: MessageSchema<ValueOp> = valueOpSchema

/** tendermint.crypto.DominoOp: a proof operation that the reference uses in tests. */
export const DominoOp = message('tendermint.crypto.DominoOp', {
  key: field(1, string, { jsonEmpty: 'omit' }),
  input: field(2, string, { jsonEmpty: 'omit' }),
  output: field(3, string, { jsonEmpty: 'omit' }),
})
export type DominoOp = Infer<typeof DominoOp>

const proofOpSchema = message('tendermint.crypto.ProofOp', {
  type: field(1, string),
  key: field(2, bytes, { jsonEmpty: 'null' }),
  data: field(3, bytes, { jsonEmpty: 'null' }),
})
/** tendermint.crypto.ProofOp: one step of a proof from a leaf to the application hash. */
export interface ProofOp extends Infer<typeof proofOpSchema> {}
export const ProofOp: MessageSchema<ProofOp> = proofOpSchema

const proofOpsSchema = message('tendermint.crypto.ProofOps', {
  ops: repeated(1, ProofOp),
})
/** tendermint.crypto.ProofOps: all steps of a proof from a leaf to the application hash. */
export interface ProofOps extends Infer<typeof proofOpsSchema> {}
export const ProofOps: MessageSchema<ProofOps> = proofOpsSchema
