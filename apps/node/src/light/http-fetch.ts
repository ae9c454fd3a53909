import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type AnswerBounds, type BoundedAnswer, boundedFetch, createBoundedAnswer } from '@org/light'
import type { HttpFetch } from '@org/rpc/client'
import { unlessAborted } from '@org/runtime'

interface Target {
  readonly url: string
  readonly init: RequestInit
  readonly answer: BoundedAnswer
}

/** True for an answer that `fetch` judges and this module does not: a redirect, or a compressed body. */
const needsFetch = ({ statusCode = 0, headers }: IncomingMessage): boolean =>
  (statusCode >= 300 && statusCode < 400) || (headers['content-encoding'] ?? 'identity') !== 'identity'

/** Sends a request and reads its answer. Resolves to the status, or to `undefined` if `fetch` must send the request. */
function send({ url, init, answer }: Target): Promise<number | undefined> {
  const { method, headers, body, signal } = init
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
      method: method ?? 'GET',
      headers: headers as Readonly<Record<string, string>>,
      ...(signal ? { signal } : {}),
    })
    const end = (status: number | undefined): void => {
      request.destroy()
      resolve(status)
    }
    request.on('error', reject)
    request.on('response', (response) => {
      if (needsFetch(response)) return end(undefined)
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => {
        if (!answer.add(chunk)) end(response.statusCode)
      })
      response.on('end', () => resolve(response.statusCode))
    })
    request.end(body)
  })
}

/**
 * Makes a `fetch` for JSON over `node:http`, which takes less than half of the processor time of the global `fetch`. Connections stay open for
 * the next request. It reads no answer beyond the bounds.
 */
export function createHttpFetch(bounds: AnswerBounds, provider: string): HttpFetch {
  const fallback = boundedFetch(globalThis.fetch, bounds, provider)
  return async (url, init) => {
    const answer = createBoundedAnswer(bounds, provider)
    // The error of a request that is aborted comes later than its signal.
    const status = await unlessAborted(send({ url, init, answer }), init.signal ?? undefined)
    return status === undefined ? fallback(url, init) : { status, json: async () => answer.json() }
  }
}
