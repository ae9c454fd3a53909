import type { Snapshot } from '@org/types/abci'
import { bytesToHex, concatBytes, utf8ToBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'

/**
 * Returns a text that identifies a snapshot: only equal snapshots have equal texts. Height and format are not enough
 * for the text, because peers may make different snapshots of one height and format.
 */
export function snapshotKey({ height, format, chunks, hash, metadata }: Snapshot): string {
  // The text contains the length of the hash. Otherwise two snapshots would have the same text if the bytes of hash and
  // metadata together are the same, but the hashes have different lengths.
  const head = utf8ToBytes(`${height}:${format}:${chunks}:${hash.length}:`)
  return bytesToHex(sha256(concatBytes(head, hash, metadata)))
}
