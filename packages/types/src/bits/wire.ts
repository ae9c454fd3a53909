import { field, type Infer, message, repeated, safeInt64, uint64 } from '../schema/index.ts'

/**
 * tendermint.libs.bits.BitArray: `bits` bits, 64 bits per element, the lowest bit first. The decoder does not check
 * that the number of elements fits `bits`.
 */
export const BitArray = message('tendermint.libs.bits.BitArray', {
  bits: field(1, safeInt64),
  elems: repeated(2, uint64),
})
export type BitArray = Infer<typeof BitArray>
