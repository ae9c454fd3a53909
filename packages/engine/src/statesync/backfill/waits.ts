import { type Clock, createDeferred, joinSignals, type Logger, repeat, unlessAborted } from '@org/runtime'
import { BACKFILL_ERRORS } from './errors.ts'

/** Reports which headers are missing, so that other parts of the node can wait for these headers. */
export interface AwaitedHeaders {
  /** Returns true if the header of the height is needed for evidence, is not stored yet, and may still be fetched. */
  readonly isAwaited: (height: number) => boolean
  /**
   * Resolves when the header of the height is stored, is not needed any more, or can no longer be fetched. Rejects only
   * with the reason of the signal.
   */
  readonly whenStored: (height: number, signal: AbortSignal) => Promise<void>
}

export interface HeaderWaits extends Pick<AwaitedHeaders, 'whenStored'> {
  /** Must be called when headers were stored, or when no further header will be stored. */
  readonly wake: () => void
}

interface Waiting {
  readonly height: number
  readonly resolve: () => void
}

export interface HeaderWaitsModules {
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Creates the list of callers that wait for headers. A caller waits if a block with +2/3 votes has evidence about a
 * height, and the header of this height is missing. A wait has no time limit, because at its end the node would have to
 * refuse the block. The node could then not follow the chain, even after a server answers again, and would ban honest
 * peers. While a wait lasts, a log line after each `progressMs` milliseconds says what the operator can do.
 */
export function createHeaderWaits(
  isAwaited: AwaitedHeaders['isAwaited'],
  { progressMs }: { readonly progressMs: number },
  { clock, logger }: HeaderWaitsModules,
): HeaderWaits {
  const waits = new Set<Waiting>()

  /** Repeats a log line until the signal aborts. */
  function warnUntil(height: number, signal: AbortSignal): void {
    const since = clock.monotonic()
    const run = (): void => {
      const problem =
        'Still waiting for a header: this node cannot follow the chain until an RPC server sends the header'
      logger.warn(`${problem}. Check the servers of statesync.rpc_servers, or set others and restart the node`, {
        ...{ code: BACKFILL_ERRORS.awaited, height, waitedMs: clock.monotonic() - since },
      })
    }
    repeat(clock, { everyMs: progressMs, run, signal })
  }

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
      const warnings = joinSignals(signal)
      warnUntil(height, warnings.signal)
      await unlessAborted(promise, signal).finally(() => {
        warnings.abort()
        waits.delete(wait)
      })
    },
    wake: () => {
      for (const { height, resolve } of waits) if (!isAwaited(height)) resolve()
    },
  }
}
