import type protobuf from 'protobufjs/minimal.js'
// The file alone, because the entry of the package brings a reader and services into every program.
// @ts-expect-error: the file has no types, and the entry has those of its class.
import writerClass from 'protobufjs/src/writer.js'

/** The writer of protobufjs, which is the fastest in Node. */
export const WireWriter: typeof protobuf.Writer = writerClass
export type WireWriter = protobuf.Writer
