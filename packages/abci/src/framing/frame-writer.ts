import { type Codec, Writer } from '@org/types/schema'
import { MAX_BATCH_BYTES } from '../options.ts'

/** Collects length-prefixed messages, so that many of them become one write. */
export interface FrameWriter<T> {
  /** Adds a message. If the message cannot be encoded, throws the schema's error and adds no bytes. */
  readonly add: (message: T) => void
  /** Returns true if the frames that were added since the last call of `drain` fill a buffer. */
  readonly isFull: () => boolean
  /** Returns the frames that were added since the last call, joined into buffers. */
  readonly drain: () => readonly Uint8Array[]
}

export function createFrameWriter<T>(schema: Codec<T>): FrameWriter<T> {
  let writer = new Writer()
  let slabs: Uint8Array[] = []

  function seal(): void {
    if (writer.size > 0) slabs.push(writer.finish())
    writer = new Writer()
  }

  return {
    add: (message) => {
      try {
        schema.write(writer, message)
      } catch (error) {
        writer.abandon()
        throw error
      }
      if (writer.size >= MAX_BATCH_BYTES) seal()
    },
    isFull: () => slabs.length > 0,
    drain: () => {
      seal()
      const taken = slabs
      slabs = []
      return taken
    },
  }
}
