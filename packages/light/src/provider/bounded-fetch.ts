import { LIGHT_ERRORS } from '../errors.ts'
import { providerError } from './errors.ts'

/** A `fetch` whose answers fail to be read after `maxBytes` (uncompressed). No more than that is kept. */
export function boundedFetch(ask: typeof fetch, maxBytes: number, provider: string): typeof fetch {
  return async (input, init) => {
    const response = await ask(input, init)
    if (response.body === null) return response
    let bytes = 0
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          bytes += chunk.length
          if (bytes <= maxBytes) controller.enqueue(chunk)
          else {
            const reason = `the answer has more than ${maxBytes} bytes`
            controller.error(providerError(LIGHT_ERRORS.badBlock, { provider, height: undefined, reason }))
          }
        },
      }),
    )
    return new Response(counted, { status: response.status, headers: response.headers })
  }
}
