import { readUvarint, type Uvarint } from '@org/types/schema'

/** No message of a peer has a length of more bytes. */
const MAX_BYTES = 5

/** The length before a message; `undefined` while it is not whole, `overlong` when no sensible length is that long. */
export const readLength = (bytes: Uint8Array): Uvarint | 'overlong' | undefined => readUvarint(bytes, 0, MAX_BYTES)
