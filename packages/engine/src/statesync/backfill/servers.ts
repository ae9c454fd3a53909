import { type Clock, type Logger, messageOf, unlessAborted } from '@org/runtime'
import type { ProvenBlock } from '../../execution/index.ts'
import type { BackfillOptions } from './options.ts'
import type { HeaderRequest, HeaderServer } from './ports.ts'

/** A block that a server sent. It is not verified yet. */
export interface ServedBlock {
  readonly block: ProvenBlock
  /** Sets the server's number of failures to 0. The caller must call this function when it has verified the block. */
  readonly accept: () => void
  /** The caller must call this function if the block is wrong. The server is then not asked for some time. */
  readonly refuse: (error: unknown) => void
}

/** Several servers that are asked in turn. A server that fails is not asked for some time. */
export interface HeaderServers {
  /**
   * Resolves with the answer of one server; with `undefined` if no server has the block. Asks until a server answers.
   * Rejects only with the reason of the signal.
   */
  readonly requestBlock: (height: number, request: HeaderRequest) => Promise<ServedBlock | undefined>
}

export interface HeaderServersModules {
  readonly clock: Clock
  readonly logger: Logger
}

interface Entry {
  readonly server: HeaderServer
  failures: number
  pausedUntil: number
  /** The server has reported that it does not have the block of this height. So it has no lower block either. */
  highestMissing: number
}

/** Creates the servers that are asked in turn. The first request goes to the first server. */
export function createHeaderServers(
  servers: readonly HeaderServer[],
  { restMs, maxRestMs }: Pick<BackfillOptions, 'restMs' | 'maxRestMs'>,
  { clock, logger }: HeaderServersModules,
): HeaderServers {
  const entries = servers.map((server): Entry => ({ server, failures: 0, pausedUntil: 0, highestMissing: 0 }))
  let turn = 0

  function refuse(entry: Entry, height: number, error: unknown): void {
    // Several requests to a server may fail at the same time. They count as one failure.
    if (entry.pausedUntil > clock.monotonic()) return
    const pauseMs = Math.min(maxRestMs, restMs * 2 ** Math.min(entry.failures, 30))
    entry.failures++
    entry.pausedUntil = clock.monotonic() + pauseMs
    const { name: server } = entry.server
    logger.warn('An RPC server sent no correct header; the node will ask another server', {
      ...{ server, height, pauseMs, err: messageOf(error) },
    })
  }

  /** Returns the next server that may be asked now. */
  function next(candidates: readonly Entry[]): Entry | undefined {
    const now = clock.monotonic()
    const ready = candidates.filter(({ pausedUntil }) => pausedUntil <= now)
    if (ready.length > 0) turn++
    return ready[(turn - 1) % ready.length]
  }

  async function requestFrom(entry: Entry, height: number, request: HeaderRequest): Promise<ServedBlock | undefined> {
    try {
      const block = await unlessAborted(entry.server.blockAt(height, request), request.signal)
      if (block === undefined) {
        entry.highestMissing = Math.max(entry.highestMissing, height)
        return undefined
      }
      const accept = (): void => {
        entry.failures = 0
      }
      return { block, accept, refuse: (error) => refuse(entry, height, error) }
    } catch (error) {
      request.signal.throwIfAborted()
      refuse(entry, height, error)
      return undefined
    }
  }

  return {
    requestBlock: async (height, request) => {
      for (;;) {
        request.signal.throwIfAborted()
        const candidates = entries.filter(({ highestMissing }) => highestMissing < height)
        if (candidates.length === 0) return undefined
        const entry = next(candidates)
        if (entry === undefined) {
          const until = candidates.reduce(
            (first, { pausedUntil }) => Math.min(first, pausedUntil),
            Number.POSITIVE_INFINITY,
          )
          await clock.sleep(until - clock.monotonic(), request.signal)
          continue
        }
        const served = await requestFrom(entry, height, request)
        if (served !== undefined) return served
      }
    },
  }
}
