import { Proof } from '../crypto/wire.ts'
import { field, hexBytes, type Infer, message, uint32 } from '../schema/index.ts'

/** tendermint.types.Part: a piece of an encoded block, with the proof that it belongs to the part set. */
export const Part = message('tendermint.types.Part', {
  index: field(1, uint32),
  bytes: field(2, hexBytes),
  proof: field(3, Proof),
})
export type Part = Infer<typeof Part>
