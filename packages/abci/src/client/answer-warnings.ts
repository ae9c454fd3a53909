import { METHOD_NAMES } from '../messages/index.ts'
import type { RemoteClient } from './client.ts'
import type { ClientModules } from './options.ts'

/** The milliseconds between two warnings about an application that does not answer. */
const WARN_EVERY_MS = 3000

/** The advice to a person whose node waits for its application. */
export const CONNECTION_ADVICE =
  'check that the application runs, that it listens at this address, and that it uses the same protocol as the node (socket or grpc)'

/** A wait for an answer of the application. */
export interface Wait {
  readonly address: string
  /** The awaited event: `a connection`, or the name of a method. */
  readonly waitsFor: string
}

/** Returns `answer` itself, and writes a warning every few seconds until it settles. */
export function warnUntilSettled<T>(answer: Promise<T>, wait: Wait, { clock, logger }: ClientModules): Promise<T> {
  let waitedMs = 0
  const next = (): void => {
    waitedMs += WARN_EVERY_MS
    logger.warn('The application has not answered yet', { ...wait, waitedMs, check: CONNECTION_ADVICE })
    timer = clock.after(WARN_EVERY_MS, next)
  }
  let timer = clock.after(WARN_EVERY_MS, next)
  const stop = (): void => timer.cancel()
  answer.then(stop, stop)
  return answer
}

type Call = (request: never) => Promise<unknown>

/**
 * Returns a client that logs warnings while its first call has no answer. The first call can wait forever if another
 * program listens at the address, or if the application hangs.
 */
export function warnsUntilFirstAnswer(client: RemoteClient, address: string, modules: ClientModules): RemoteClient {
  let isFirst = true
  const watched: Record<string, Call> = {}
  for (const name of [...METHOD_NAMES, 'echo', 'flush'] as const) {
    const call = client[name] as Call
    watched[name] = (request) => {
      if (!isFirst) return call(request)
      isFirst = false
      return warnUntilSettled(call(request), { address, waitsFor: name }, modules)
    }
  }
  return { ...client, ...watched }
}
