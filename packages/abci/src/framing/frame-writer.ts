import { type Codec, Writer } from '@org/types/schema'
import { MAX_BATCH_BYTES } from '../options.ts'

/** Collects length-prefixed messages, so that many of them become one write. */
export interface FrameWriter<T> {
  /** Throws what the schema throws; then nothing of the message is kept. */
  readonly add: (message: T) => void
  /** The frames added since the last call, joined into slabs. */
  readonly take: () => readonly Uint8Array[]
}

const SMALLEST = 256

export function createFrameWriter<T>(schema: Codec<T>): FrameWriter<T> {
  let writer = new Writer(SMALLEST)
  let slabs: Uint8Array[] = []

  /** The next slab will most likely be as long as this one. */
  function seal(size: number): void {
    if (size > 0) slabs.push(writer.finish().subarray(0, size))
    writer = new Writer(Math.max(SMALLEST, size + (size >> 3)))
  }

  return {
    add: (message) => {
      const before = writer.size
      try {
        schema.write(writer, message)
      } catch (error) {
        seal(before)
        throw error
      }
      if (writer.size >= MAX_BATCH_BYTES) seal(writer.size)
    },
    take: () => {
      if (writer.size > 0) seal(writer.size)
      const taken = slabs
      slabs = []
      return taken
    },
  }
}
