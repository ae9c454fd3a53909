import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import { type AnswerBounds, type BoundedAnswer, createBoundedAnswer, redirectError } from '@org/light'
import type { HttpFetch } from '@org/rpc/client'
import { unlessAborted } from '@org/runtime'

interface Target {
  readonly url: string
  readonly init: RequestInit
  readonly answer: BoundedAnswer
  /** The name of the node in the texts of errors. */
  readonly provider: string
}

/** Returns the body of an answer, decompressed. A node may compress an answer although no request asks for it. */
function bodyOf(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return response
  // `createUnzip` reads gzip and deflate. It fails for other encodings, and the promise of the request then rejects.
  const decompress = encoding === 'br' ? createBrotliDecompress() : createUnzip()
  return pipeline(response, decompress, () => undefined)
}

/**
 * Sends a request and reads the answer into `answer`. Resolves to the status of the answer. Rejects with a `LightError`
 * for a redirect.
 */
function send({ url, init, answer, provider }: Target): Promise<number> {
  const { method, headers, body, signal } = init
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
      method: method ?? 'GET',
      headers: headers as Readonly<Record<string, string>>,
      ...(signal ? { signal } : {}),
    })
    request.on('error', reject)
    request.on('response', (response) => {
      const { statusCode: status = 0, headers: answered } = response
      if (status >= 300 && status < 400) {
        request.destroy()
        return reject(redirectError(answered.location, provider))
      }
      const read = bodyOf(response)
      read.on('error', reject)
      read.on('data', (chunk: Buffer) => {
        if (answer.add(chunk)) return
        request.destroy()
        resolve(status)
      })
      read.on('end', () => resolve(status))
    })
    request.end(body)
  })
}

/**
 * Makes a `fetch` for JSON over `node:http`. It takes less than half of the processor time of the global `fetch`.
 * Connections stay open for the next request. An answer that exceeds `bounds` is not read to its end.
 */
export function createHttpFetch(bounds: AnswerBounds, provider: string): HttpFetch {
  return async (url, init) => {
    const answer = createBoundedAnswer(bounds, provider)
    // After an abort, `send` rejects only later. `unlessAborted` rejects immediately.
    const status = await unlessAborted(send({ url, init, answer, provider }), init.signal ?? undefined)
    return { status, json: async () => answer.json() }
  }
}
