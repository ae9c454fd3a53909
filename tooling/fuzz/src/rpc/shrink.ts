import type { Exchange } from '@org/golden'

/** Yields copies of the text, each without one piece. Large pieces are removed first. */
function* shorter(text: string): Generator<string> {
  for (let size = text.length >> 1; size >= 1; size >>= 1)
    for (let from = 0; from < text.length; from += size) yield text.slice(0, from) + text.slice(from + size)
}

/** Yields copies of the request, each without its headers or without one piece of its text. */
export function* smallerRequests(exchange: Exchange): Generator<Exchange> {
  const { request } = exchange
  const change = (part: Partial<Exchange['request']>): Exchange => ({ ...exchange, request: { ...request, ...part } })
  if (Object.keys(request.headers ?? {}).length > 0) yield change({ headers: {} })
  if (typeof request.path === 'string' && request.path.length > 1)
    for (const path of shorter(request.path.slice(1))) yield change({ path: `/${path}` })
  if (typeof request.body === 'string') for (const body of shorter(request.body)) yield change({ body })
  const [frame] = request.frames ?? []
  if (typeof frame === 'string') for (const text of shorter(frame)) yield change({ frames: [text] })
}
