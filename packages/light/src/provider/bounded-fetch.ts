import { createAnswerBuffer, type HttpFetch, readBody } from '@org/rpc/client'
import { LIGHT_ERRORS, type LightError } from '../errors.ts'
import { providerError } from './errors.ts'

/** The limits on the size of one answer. */
export interface AnswerBounds {
  /** The maximum number of bytes, uncompressed. */
  readonly maxBytes: number
  /**
   * The maximum number of commas, opening brackets and opening braces. In JSON, each item of a list or object follows
   * one of these characters, so this also limits the number of values. The limit on bytes is not enough, because a
   * value that takes two bytes of JSON takes a hundred bytes of memory after it is parsed.
   */
  readonly maxItems: number
}

/**
 * A table with an entry for each value of a byte: 1 for a comma, an opening bracket or an opening brace, 0 for all
 * other values. A look-up in the table takes a sixth of the time of three comparisons.
 */
const BEGINS_ITEM = new Uint8Array(256)
for (const byte of [44, 91, 123]) BEGINS_ITEM[byte] = 1

/** Counts the commas, opening brackets and opening braces in JSON. */
export function countItems(chunk: Uint8Array): number {
  let items = 0
  for (let i = 0; i < chunk.length; i++) items += BEGINS_ITEM[chunk[i] as number] as number
  return items
}

/** An answer that is read chunk by chunk. */
export interface BoundedAnswer {
  /** Adds a chunk. Returns false if the answer is now larger than a limit. Then the bytes of the answer are dropped. */
  readonly add: (chunk: Uint8Array) => boolean
  /** Parses the answer. Throws {@link LightError} (`LIGHT_BAD_BLOCK`) if it exceeded a bound. */
  readonly json: () => unknown
}

/**
 * Creates an empty answer. `add` and the parsing apply the given limits. `provider` is the name of the node in
 * errors.
 */
export function createBoundedAnswer({ maxBytes, maxItems }: AnswerBounds, provider: string): BoundedAnswer {
  let buffer = createAnswerBuffer(maxBytes)
  let items = 0
  return {
    add: (chunk) => {
      items += countItems(chunk)
      if (buffer.add(chunk) && items <= maxItems) return true
      const bound = items > maxItems ? `${maxItems} values` : `${maxBytes} bytes`
      const reason = `the answer has more than ${bound}`
      const error = providerError(LIGHT_ERRORS.badBlock, { provider, height: undefined, reason })
      const json = (): never => {
        throw error
      }
      buffer = { add: () => false, json }
      return false
    },
    json: () => buffer.json(),
  }
}

/**
 * Makes the error for an answer that redirects to another address: a node must not choose where the client sends its
 * calls.
 */
export function redirectError(location: string | null | undefined, provider: string): LightError {
  const target = JSON.stringify(location ?? 'another address').slice(0, 200)
  const reason = `it redirects to ${target}: if you trust that address, use it instead`
  return providerError(LIGHT_ERRORS.noResponse, { provider, height: undefined, reason })
}

/** True for a redirect. A browser hides the status of a redirect, and shows only its type. */
const isRedirect = ({ type, status }: Response): boolean => type === 'opaqueredirect' || (status >= 300 && status < 400)

/**
 * Makes a `fetch` that reads each answer completely, and follows no redirect. If an answer exceeds a bound, the call
 * fails, and the rest of the answer is neither kept nor parsed.
 */
export function boundedFetch(baseFetch: typeof fetch, bounds: AnswerBounds, provider: string): HttpFetch {
  return async (url, init) => {
    const response = await baseFetch(url, { ...init, redirect: 'manual' })
    const { body, status } = response
    if (isRedirect(response)) {
      body?.cancel().catch(() => undefined)
      throw redirectError(response.headers.get('location'), provider)
    }
    const answer = createBoundedAnswer(bounds, provider)
    if (body !== null) await readBody(body, answer.add)
    return { status, json: async () => answer.json() }
  }
}
