import { LightBlock as WireLightBlock } from '@org/types'
import { heightOf, type LightBlock, lightBlockFromWire, lightBlockToWire } from '../block/light-block.ts'

/** Encodes a block for the store, as the reference's protobuf message `LightBlock`. */
export const encodeStored = (block: LightBlock): Uint8Array => WireLightBlock.encode(lightBlockToWire(block))

/**
 * Decodes the block that is stored at a height. Throws the error that `corrupt` makes if the bytes are not a block of
 * this height.
 */
export function decodeStored(
  height: number,
  value: Uint8Array,
  corrupt: (reason: string, cause?: unknown) => Error,
): LightBlock {
  let block: LightBlock
  try {
    block = lightBlockFromWire(WireLightBlock.decode(value))
  } catch (cause) {
    throw corrupt(`the block at height ${height} cannot be read`, cause)
  }
  if (heightOf(block) === height) return block
  throw corrupt(`the block at height ${height} has the height ${heightOf(block)}`)
}
