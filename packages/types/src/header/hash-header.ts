import { BlockId } from '../block-id/id.ts'
import { hashFromByteSlices } from '../merkle/tree.ts'
import { bytes, field, message, safeInt64, string, time as timeCodec, Writer } from '../schema/index.ts'
import { ConsensusVersion } from '../version/wire.ts'
import type { Header } from './header.ts'

const EMPTY = new Uint8Array(0)

// The messages of google.protobuf in which the reference wraps the texts, bytes and numbers of a header before it
// hashes them. A zero value takes no bytes.
const StringValue = message('google.protobuf.StringValue', { value: field(1, string) })
const BytesValue = message('google.protobuf.BytesValue', { value: field(1, bytes) })
const Int64Value = message('google.protobuf.Int64Value', { value: field(1, safeInt64) })

function wrapped(value: string | Uint8Array | number): Uint8Array {
  if (typeof value === 'number') return Int64Value.encode({ value })
  return typeof value === 'string' ? StringValue.encode({ value }) : BytesValue.encode({ value })
}

function encodeTime(time: bigint): Uint8Array {
  const writer = new Writer()
  timeCodec.write(writer, time)
  // The codec writes a length prefix before the time, but the hash of a header covers the time without the prefix. The
  // prefix has one byte, because the length of a time is below 128.
  return writer.finish().subarray(1)
}

const hashes = new WeakMap<Header, Uint8Array>()

/**
 * Returns the Merkle root over the header's fields. Returns empty bytes if the hash of the validators is missing,
 * because such a header is invalid.
 */
export function hashHeader(header: Header): Uint8Array {
  if (header.validatorsHash.length === 0) return EMPTY
  let hash = hashes.get(header)
  if (hash === undefined) {
    hash = hashFromByteSlices([
      ConsensusVersion.encode(header.version),
      wrapped(header.chainId),
      wrapped(header.height),
      encodeTime(header.time),
      BlockId.encode(header.lastBlockId),
      wrapped(header.lastCommitHash),
      wrapped(header.dataHash),
      wrapped(header.validatorsHash),
      wrapped(header.nextValidatorsHash),
      wrapped(header.consensusHash),
      wrapped(header.appHash),
      wrapped(header.lastResultsHash),
      wrapped(header.evidenceHash),
      wrapped(header.proposerAddress),
    ])
    hashes.set(header, hash)
  }
  return hash
}
