import { createFrameReader } from '../../../../../packages/rpc/src/grpc/frame.ts'
import { RequestBroadcastTx } from '../../../../../packages/rpc/src/grpc/messages.ts'
import { unmarshalFault } from '../../../../../packages/rpc/src/grpc/unmarshal-fault.ts'
import type { Door, Shape } from '../door.ts'
import { runOf } from '../shapes.ts'

const MIB = 1024 * 1024

/**
 * Returns a function that makes inputs. Each input is one complete gRPC message, which contains `unit` again and again.
 */
function grpcRunOf(unit: string, end = ''): Shape {
  const make = runOf(unit, '\0\0\0\0\0', end)
  return (size) => {
    const bytes = make(size)
    new DataView(bytes.buffer).setUint32(1, bytes.length - 5)
    return bytes
  }
}

/** Reads the message of a gRPC call, which arrives in pieces of `piece` bytes. */
function readGrpcMessage(input: Uint8Array, piece: number): unknown {
  const reader = createFrameReader(4 * MIB, undefined)
  for (let at = 0; at < input.length; at += piece) {
    const read = reader.push(input.subarray(at, at + piece))
    if (read.kind === 'message') return readBroadcastTx(read.bytes)
    if (read.kind === 'bad') return read
  }
  return reader
}

/**
 * Decodes a message of BroadcastTx as the server does. If the decoder refuses the message, the server reads it a
 * second time to find the text of the error.
 */
function readBroadcastTx(bytes: Uint8Array): unknown {
  try {
    return RequestBroadcastTx.decode(bytes)
  } catch {
    return unmarshalFault(bytes, { message: 'RequestBroadcastTx', field: 'Tx' })
  }
}

export const grpcMessage: Door = {
  name: 'gRPC message',
  where: 'rpc/src/grpc/frame.ts',
  limit: 4 * MIB,
  costs: { nsPerByte: 400, heldPerByte: 24 },
  open: () => ({ read: (input) => readGrpcMessage(input, 3) }),
  shapes: {
    'a message that does not end': runOf('a', '\0\0\x40\0\0'),
    'a field many times': grpcRunOf('\n\x01a'),
    'empty fields': grpcRunOf('\n\0'),
    'unknown fields': grpcRunOf('\x10\x01'),
    'unknown fields and a fault': grpcRunOf('\x10\x01', '\x0f'),
    'groups that do not end': grpcRunOf('\x13'),
  },
}
