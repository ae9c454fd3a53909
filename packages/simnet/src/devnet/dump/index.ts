import type { DevnetOrigin } from '../origin.ts'
import { decodeBody, encodeBody } from './dump-body.ts'
import { packDump, unpackDump } from './dump-format.ts'

export { MAX_DUMP_BYTES } from './dump-format.ts'

/** Encodes a chain and its keys as bytes, with a version and a checksum. Rejects with `DEVNET_DUMP_TOO_LARGE`. */
export async function writeDump(origin: DevnetOrigin): Promise<Uint8Array> {
  return packDump(encodeBody(origin))
}

/** Reads what {@link writeDump} wrote. Rejects with a `DevnetError` whose code begins with `DEVNET_DUMP_`. */
export async function readDump(dump: Uint8Array): Promise<DevnetOrigin> {
  return decodeBody(await unpackDump(dump))
}
