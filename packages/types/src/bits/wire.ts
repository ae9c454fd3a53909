import { field, type Infer, message, repeated, safeInt64, uint64 } from '../schema/index.ts'

/**
 * tendermint.libs.bits.BitArray: the number of bits, and the bits in elements of 64 bits each, the lowest bit first.
 * The decoder does not check that the number of elements fits the number of bits.
 */
export const BitArray = message('tendermint.libs.bits.BitArray', {
  bits: field(1, safeInt64),
  elems: repeated(2, uint64),
})
export type BitArray = Infer<typeof BitArray>
