import type { Snapshot } from '@org/types/abci'
import { bytesToHex, concatBytes, utf8ToBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'

/**
 * Returns a text that identifies a snapshot: only equal snapshots have equal texts. It has more than height and format,
 * because peers may make different snapshots of one height and format.
 */
export function snapshotKey({ height, format, chunks, hash, metadata }: Snapshot): string {
  // The text contains the length of the hash. Otherwise two snapshots whose hash and metadata are the same bytes,
  // divided at different places, would have equal texts.
  const head = utf8ToBytes(`${height}:${format}:${chunks}:${hash.length}:`)
  return bytesToHex(sha256(concatBytes(head, hash, metadata)))
}
