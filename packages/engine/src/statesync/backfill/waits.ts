import { createDeferred, type Logger, unlessAborted } from '@org/runtime'

/** Reports which headers are missing, so that other parts of the node can wait for these headers. */
export interface AwaitedHeaders {
  /** Returns true if the header of the height is needed for evidence, is not stored yet, and may still be fetched. */
  readonly isAwaited: (height: number) => boolean
  /** Resolves as soon as the header of the height is no longer awaited. Rejects only with the reason of the signal. */
  readonly whenStored: (height: number, signal: AbortSignal) => Promise<void>
}

export interface HeaderWaits extends Pick<AwaitedHeaders, 'whenStored'> {
  /** Must be called when headers were stored, or when no further header will be stored. */
  readonly settle: () => void
}

interface Waiting {
  readonly height: number
  readonly resolve: () => void
}

/** Creates the list of callers that wait for headers. */
export function createHeaderWaits(
  isAwaited: AwaitedHeaders['isAwaited'],
  { logger }: { readonly logger: Logger },
): HeaderWaits {
  const waits = new Set<Waiting>()
  return {
    whenStored: async (height, signal) => {
      if (!isAwaited(height)) return
      logger.info(
        'Waiting for the header of a height, because a block with +2/3 votes has evidence about this height',
        {
          height,
        },
      )
      const { promise, resolve } = createDeferred<void>()
      const wait: Waiting = { height, resolve }
      waits.add(wait)
      await unlessAborted(promise, signal).finally(() => waits.delete(wait))
    },
    settle: () => {
      for (const { height, resolve } of waits) if (!isAwaited(height)) resolve()
    },
  }
}
