import { LIGHT_ERRORS } from '../errors.ts'
import { providerError } from './errors.ts'

/** The bounds of one answer. */
export interface AnswerBounds {
  /** Bytes, uncompressed. */
  readonly maxBytes: number
  /**
   * Commas and opening brackets, which are as many as the values of the JSON or more. A value of two bytes takes a
   * hundred bytes of memory once it is parsed.
   */
  readonly maxItems: number
}

const [COMMA, LIST, OBJECT] = [44, 91, 123]

function itemsIn(chunk: Uint8Array): number {
  let items = 0
  for (const byte of chunk) if (byte === COMMA || byte === LIST || byte === OBJECT) items++
  return items
}

/** A `fetch` whose answers fail to be read above one of the bounds. No more than that is kept or parsed. */
export function boundedFetch(ask: typeof fetch, { maxBytes, maxItems }: AnswerBounds, provider: string): typeof fetch {
  return async (input, init) => {
    const response = await ask(input, init)
    if (response.body === null) return response
    let bytes = 0
    let items = 0
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          bytes += chunk.length
          items += itemsIn(chunk)
          if (bytes <= maxBytes && items <= maxItems) {
            controller.enqueue(chunk)
            return
          }
          const bound = bytes > maxBytes ? `${maxBytes} bytes` : `${maxItems} values`
          const reason = `the answer has more than ${bound}`
          controller.error(providerError(LIGHT_ERRORS.badBlock, { provider, height: undefined, reason }))
        },
      }),
    )
    return new Response(counted, { status: response.status, headers: response.headers })
  }
}
