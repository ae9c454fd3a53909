import type { Snapshot } from '@org/types/abci'
import { bytesToHex, concatBytes, utf8ToBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'

/** A text that is equal for equal snapshots only. Peers may make different snapshots of one height and format. */
export function snapshotKey({ height, format, chunks, hash, metadata }: Snapshot): string {
  // The length of the hash is part of the text: otherwise a byte could move from the hash to the metadata.
  const head = utf8ToBytes(`${height}:${format}:${chunks}:${hash.length}:`)
  return bytesToHex(sha256(concatBytes(head, hash, metadata)))
}
