import type { Decoder } from '../decoder.ts'
import { CLIENT_DECODERS, FILE_DECODERS } from './text.ts'
import { PEER_DECODERS, RECORD_DECODERS } from './wire.ts'

/** All decoders that the fuzzer tests. Their input comes from another program, or from an earlier run of the node. */
export const DECODERS: readonly Decoder[] = [...CLIENT_DECODERS, ...PEER_DECODERS, ...RECORD_DECODERS, ...FILE_DECODERS]
