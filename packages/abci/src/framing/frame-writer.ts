import type { Codec } from '@org/types/schema'
import protobuf from 'protobufjs/minimal.js'
import { MAX_BATCH_BYTES } from '../options.ts'

/** Collects length-prefixed messages, so that many of them become one write. */
export interface FrameWriter<T> {
  readonly add: (message: T) => void
  readonly addBytes: (frames: Uint8Array) => void
  /** The frames added since the last call, joined into slabs. */
  readonly take: () => readonly Uint8Array[]
  readonly isEmpty: () => boolean
}

export function createFrameWriter<T>(schema: Codec<T>): FrameWriter<T> {
  let writer = new protobuf.Writer()
  let slabs: Uint8Array[] = []

  function seal(): void {
    if (writer.len === 0) return
    slabs.push(writer.finish())
    writer = new protobuf.Writer()
  }

  return {
    add: (message) => {
      schema.write(writer, message)
      if (writer.len >= MAX_BATCH_BYTES) seal()
    },
    addBytes: (frames) => {
      seal()
      slabs.push(frames)
    },
    take: () => {
      seal()
      const taken = slabs
      slabs = []
      return taken
    },
    isEmpty: () => writer.len === 0 && slabs.length === 0,
  }
}
