import { createDelimitedReader, type DelimitedReader } from '@org/types/schema'
import { ABCI_ERRORS, AbciError } from '../errors.ts'

/**
 * Creates a parser that splits the bytes of a connection into frames. It throws `ABCI_FRAME_TOO_LARGE` or
 * `ABCI_BAD_FRAME`.
 */
export function createFrameParser(maxFrameBytes: number): DelimitedReader {
  return createDelimitedReader(maxFrameBytes, (length) => {
    if (length === 'overlong') return new AbciError(ABCI_ERRORS.badFrame, 'the length of a frame overflows 64 bits')
    return new AbciError(ABCI_ERRORS.frameTooLarge, `a frame of ${length} bytes exceeds the limit ${maxFrameBytes}`, {
      data: { size: length, limit: maxFrameBytes },
    })
  })
}
