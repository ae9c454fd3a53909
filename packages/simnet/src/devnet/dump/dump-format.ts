import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { messageOf } from '@org/runtime'
import { equalBytes, utf8ToBytes } from '@org/types/bytes'
import { DEVNET_ERRORS, DevnetError } from '../errors.ts'

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** The first bytes of each dump. */
const MAGIC = utf8ToBytes('HALLEYDN')
/** The version of the format of the body. */
const VERSION = 1
const HASH_BYTES = 32
/**
 * The header of a dump: the magic bytes, the version (4 bytes), the length of the compressed body (4 bytes), and the
 * SHA-256 of the compressed body. The numbers are big-endian.
 */
const HEADER_BYTES = MAGIC.length + 8 + HASH_BYTES
/** The maximum number of bytes of a dump. */
export const MAX_DUMP_BYTES = 64 << 20
/** The maximum number of bytes of the body of a dump, before its compression. */
const MAX_BODY_BYTES = 384 << 20

const hashOf = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()

/** Makes a dump of a body. Rejects with `DEVNET_DUMP_TOO_LARGE`. */
export async function packDump(body: Uint8Array): Promise<Uint8Array> {
  const compressed = body.length > MAX_BODY_BYTES ? body : await compress(body)
  if (compressed.length > MAX_DUMP_BYTES) {
    const message = `the chain is too large for a dump: it has more than ${MAX_DUMP_BYTES >> 20} MiB after compression, or more than ${MAX_BODY_BYTES >> 20} MiB before. Use a chain with fewer blocks or validators`
    throw new DevnetError(DEVNET_ERRORS.dumpTooLarge, message)
  }
  const dump = new Uint8Array(HEADER_BYTES + compressed.length)
  const view = new DataView(dump.buffer)
  dump.set(MAGIC)
  view.setUint32(MAGIC.length, VERSION)
  view.setUint32(MAGIC.length + 4, compressed.length)
  dump.set(hashOf(compressed), MAGIC.length + 8)
  dump.set(compressed, HEADER_BYTES)
  return dump
}

/**
 * Returns the body of a dump. Rejects with `DEVNET_DUMP_FOREIGN`, `DEVNET_DUMP_VERSION`, `DEVNET_DUMP_TRUNCATED`,
 * `DEVNET_DUMP_CORRUPT` or `DEVNET_DUMP_TOO_LARGE`.
 */
export async function unpackDump(dump: Uint8Array): Promise<Uint8Array> {
  const fault = (code: keyof typeof DEVNET_ERRORS, message: string, cause?: unknown): DevnetError =>
    new DevnetError(DEVNET_ERRORS[code], message, { cause })
  const start = dump.subarray(0, MAGIC.length)
  if (!equalBytes(start, MAGIC.subarray(0, start.length)) || dump.length === 0)
    throw fault(
      'dumpForeign',
      'this is not a dump of a devnet: use the bytes that dev_dump returned, or a file of --dump',
    )
  const truncated = (wanted: number): DevnetError =>
    fault('dumpTruncated', `the dump has ${dump.length} bytes, but ${wanted} are needed: copy it again, as a whole`)
  if (dump.length < HEADER_BYTES) throw truncated(HEADER_BYTES)
  const view = new DataView(dump.buffer, dump.byteOffset, dump.byteLength)
  const version = view.getUint32(MAGIC.length)
  if (version !== VERSION)
    throw fault(
      'dumpVersion',
      `the dump has version ${version}, and this program reads version ${VERSION}: use the program that made it`,
    )
  const length = view.getUint32(MAGIC.length + 4)
  if (length > MAX_DUMP_BYTES)
    throw fault('dumpTooLarge', `the dump has ${length} bytes, and at most ${MAX_DUMP_BYTES} are read`)
  if (dump.length < HEADER_BYTES + length) throw truncated(HEADER_BYTES + length)
  const compressed = dump.subarray(HEADER_BYTES)
  const isIntact =
    compressed.length === length && equalBytes(hashOf(compressed), dump.subarray(MAGIC.length + 8, HEADER_BYTES))
  if (!isIntact) throw fault('dumpCorrupt', 'the dump was changed: its checksum does not match. Copy it again')
  try {
    return await expand(compressed, { maxOutputLength: MAX_BODY_BYTES })
  } catch (cause) {
    throw fault('dumpCorrupt', `the dump cannot be expanded: ${messageOf(cause)}`, cause)
  }
}
