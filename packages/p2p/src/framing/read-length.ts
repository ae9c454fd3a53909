import { readUvarint, type Uvarint } from '@org/types/schema'

/** The length in front of a message takes at most this many bytes. */
const MAX_BYTES = 5

/**
 * Reads the length in front of a message; `undefined` while it is incomplete, `overlong` if it takes too many bytes.
 */
export const readLength = (bytes: Uint8Array): Uvarint | 'overlong' | undefined => readUvarint(bytes, 0, MAX_BYTES)
