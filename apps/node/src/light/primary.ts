import { LIGHT_ERRORS, type LightClient, LightError } from '@org/light'
import { createHttpTransport, type RpcTransport } from '@org/rpc/client'
import { type Clock, createSemaphore, type Semaphore, withTimeLimit } from '@org/runtime'
import type { JsonObject } from '@org/types/schema'
import { createHttpFetch } from './http-fetch.ts'

/** The maximum size of an answer of the primary: a block of 20 MB with small transactions fits. */
const ANSWER_BOUNDS = { maxBytes: 32 << 20, maxItems: 1_000_000 }
/**
 * The maximum number of requests in progress at the primary, so that its answers cannot fill the memory. Further
 * requests wait.
 */
const MAX_REQUESTS = 16
/**
 * The maximum number of `broadcast_tx_commit` requests in progress, each of which waits for a block. They are counted
 * apart from the other requests, because their answers are small, and they must not delay other requests.
 */
const MAX_WAITING_REQUESTS = 64

/** The error that the primary sent as its answer. */
export interface NodeError {
  readonly text: string
}

export interface Request {
  readonly signal: AbortSignal
  /** Called with the primary's error, if the primary answers with an error. */
  readonly onError: (error: NodeError) => void
}

/** The primary of the light client, which a witness may replace at any time. */
export interface Primary {
  readonly address: () => string
  readonly transport: (request: Request) => RpcTransport
}

export interface PrimaryModules {
  readonly light: Pick<LightClient, 'providers'>
  readonly clock: Clock
}

/** Returns the text of the error that a node sent. A node may send any JSON in place of an error. */
function textOf(error: unknown): string {
  const { message, data } = (error ?? {}) as JsonObject
  const text = typeof data === 'string' && data !== '' ? data : message
  return typeof text === 'string' ? text : 'the node refused the call without a text that says why'
}

/**
 * Returns the error to throw for a request that failed with `error`. If the node did not answer, or sent a wrong
 * answer, the cause of `error` is a `LightError` with the reason. The text of `error` lacks this reason, so the
 * function returns a new `LightError` that contains it. All other errors are returned unchanged.
 */
function unreadable(url: string, method: string, error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof LightError)) return error
  const { reason } = cause.data
  const { noResponse, wrongAnswer } = LIGHT_ERRORS
  if (cause.code === noResponse) return new LightError(noResponse, `${url} did not answer: ${reason}`, { cause })
  const message = `the answer to ${method} is wrong: ${reason}. Ask another node`
  return new LightError(wrongAnswer, message, { data: { method, reason }, cause })
}

/** Creates the connection to the primary. The primary must answer each request within `timeoutMs`. */
export function createPrimary(timeoutMs: number, { light, clock }: PrimaryModules): Primary {
  const address = (): string => light.providers().primary.name
  /**
   * The transports by the address of the node. There are few transports, because the light client uses only the nodes
   * that the flags name.
   */
  const known = new Map<string, RpcTransport>()
  const [requests, waiting] = [createSemaphore(MAX_REQUESTS), createSemaphore(MAX_WAITING_REQUESTS)]

  function open(url: string): RpcTransport {
    const transport = known.get(url) ?? createHttpTransport(url, { fetch: createHttpFetch(ANSWER_BOUNDS, url) })
    known.set(url, transport)
    return transport
  }

  const semaphoreFor = (method: string | undefined): Semaphore =>
    method === 'broadcast_tx_commit' ? waiting : requests

  return {
    address,
    transport: ({ signal, onError }) => {
      const url = address()
      const http = open(url)
      return {
        ...http,
        send: async (calls) => {
          const semaphore = semaphoreFor(calls[0]?.method)
          await semaphore.acquire(signal)
          const limit = { clock, ms: timeoutMs, late: () => noAnswer(url, timeoutMs), signal }
          try {
            const answers = await withTimeLimit(limit, (either) => http.send(calls, either))
            for (const answer of answers) if ('error' in answer) onError({ text: textOf(answer.error) })
            return answers
          } catch (error) {
            throw unreadable(url, calls[0]?.method ?? '', error)
          } finally {
            semaphore.release()
          }
        },
      }
    },
  }
}

const noAnswer = (url: string, timeoutMs: number): LightError =>
  new LightError(LIGHT_ERRORS.noResponse, `${url} did not answer within ${timeoutMs / 1000} s: try again`)
