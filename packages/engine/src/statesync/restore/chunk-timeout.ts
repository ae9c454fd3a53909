import type { Clock } from '@org/runtime'
import type { RestoreOptions } from './options.ts'

/**
 * Waits for the chunks of one snapshot. The wait for a single chunk has a time limit, and the wait for all chunks
 * together has a time limit too.
 */
export interface ChunkTimeout {
  /** Must be called when a chunk of `bytes` bytes has arrived. Extends the time limit for all chunks. */
  readonly extend: (bytes: number) => void
  /**
   * Waits until `wake` is called, and then returns true. Returns false if `leftMs` milliseconds pass before `wake` is
   * called. Also returns false if the time that is left for all chunks ends before `wake` is called. Only one caller
   * may wait at a time.
   */
  readonly wait: (leftMs: number) => Promise<boolean>
  readonly wake: () => void
}

/**
 * Creates the time limit for one chunk and the time limit for all chunks. At the beginning, the time limit for all
 * chunks is as long as the one for one chunk, because no chunk has extended it yet.
 */
export function createChunkTimeout(
  { chunkWaitMs, minChunkRate, msPerChunk }: Pick<RestoreOptions, 'chunkWaitMs' | 'minChunkRate' | 'msPerChunk'>,
  clock: Clock,
): ChunkTimeout {
  /**
   * The total time for which the node may still wait, for all chunks together, in milliseconds. Each chunk that arrives
   * adds a time that depends on its size. So peers cannot delay state sync by sending each chunk just before the time
   * limit for one chunk.
   */
  let remainingMs = chunkWaitMs
  let wake: () => void = () => undefined
  return {
    extend: (bytes) => {
      remainingMs += msPerChunk + (bytes / minChunkRate) * 1000
    },
    wait: async (leftMs) => {
      const from = clock.monotonic()
      const isInTime = await new Promise<boolean>((resolve) => {
        const timer = clock.after(Math.min(leftMs, remainingMs), () => resolve(false))
        wake = () => {
          timer.cancel()
          resolve(true)
        }
      })
      remainingMs -= clock.monotonic() - from
      return isInTime
    },
    wake: () => wake(),
  }
}
