import protobuf from 'protobufjs/minimal.js'
import { hashFromByteSlices } from '../merkle/tree.ts'
import { time as timeCodec } from '../schema/index.ts'
import { ConsensusVersion } from '../version/wire.ts'
import type { Header } from './header.ts'
import { BlockId } from './id.ts'

const EMPTY = new Uint8Array(0)

/** A google.protobuf.StringValue, BytesValue or Int64Value; nothing at all for a zero value. */
function wrapped(value: string | Uint8Array | number): Uint8Array {
  const writer = new protobuf.Writer()
  if (typeof value === 'number') return value === 0 ? EMPTY : writer.uint32(8).int64(value).finish()
  if (value.length === 0) return EMPTY
  return (typeof value === 'string' ? writer.uint32(10).string(value) : writer.uint32(10).bytes(value)).finish()
}

function encodeTime(time: bigint): Uint8Array {
  const writer = new protobuf.Writer()
  timeCodec.write(writer, time)
  // Without the length in front, which is below 128 and so one byte.
  return writer.finish().subarray(1)
}

const hashes = new WeakMap<Header, Uint8Array>()

/** The Merkle root over the header's fields; empty if there is no validators hash, as such a header is none. */
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
