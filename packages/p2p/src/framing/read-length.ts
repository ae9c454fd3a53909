import { readUvarint, type Uvarint } from '@org/types/schema'

/** The maximum number of bytes of the length before a message. */
const MAX_BYTES = 5

/**
 * Reads the length before a message. Returns `undefined` while the length is incomplete, and `overlong` if it has too
 * many bytes.
 */
export const readLength = (bytes: Uint8Array): Uvarint | 'overlong' | undefined => readUvarint(bytes, 0, MAX_BYTES)
