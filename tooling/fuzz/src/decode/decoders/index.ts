import type { Decoder } from '../decoder.ts'
import { CLIENT_DECODERS, FILE_DECODERS } from './text.ts'
import { PEER_DECODERS, RECORD_DECODERS } from './wire.ts'

/** Every decoder of bytes that this process did not write itself. */
export const DECODERS: readonly Decoder[] = [...CLIENT_DECODERS, ...PEER_DECODERS, ...RECORD_DECODERS, ...FILE_DECODERS]
