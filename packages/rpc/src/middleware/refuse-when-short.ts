import { jsonResponse } from '../call/envelope.ts'
import type { Profile } from '../call/profile.ts'
import { RPC_ERRORS } from '../errors.ts'
import { type HttpHandler, type HttpRequest, type HttpResponse, headerBlock } from '../http/index.ts'
import { parseBody } from '../json/index.ts'
import type { ClientMemory } from '../memory/client-memory.ts'

/** The error text for a call while the node is short of memory. */
export const SHORT_OF_MEMORY = `${RPC_ERRORS.memory}: the node is short of memory and refuses new requests for now; try again later`

/**
 * The operations and probes that report the condition of the node. The node answers them even when memory is short,
 * because operators then need the answers, and the answers are short.
 */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(['health', 'status', 'livez', 'readyz'])

/** The maximum size, in bytes, of a body that is parsed while memory is short. A larger request is refused. */
const MAX_BODY = 1024

const HEADERS = headerBlock([
  ['Content-Type', 'application/json'],
  ['Retry-After', '5'],
])

export const isAlwaysAnswered = (method: string): boolean => ALWAYS_ANSWERED.has(method)

/** Returns the answer to a request that the node refuses because the node is short of memory. */
export function noMemoryResponse(profile: Profile, reason: string, id = profile.noId): HttpResponse {
  return jsonResponse(503, profile.errorReply(id, 'server', reason), HEADERS)
}

/**
 * Returns the method of a request, and its id, for the decision whether to refuse it. A body above {@link MAX_BODY} is
 * not parsed, and the method is then empty.
 */
function callOf({ target, body }: HttpRequest): { readonly method: string; readonly id?: string } {
  if (body.length === 0) return { method: target.split('?', 1)[0]?.slice(1) ?? '' }
  if (body.length > MAX_BODY) return { method: '' }
  const parsed = parseBody(body)
  if (parsed.kind !== 'single') return { method: '' }
  const { method, id } = parsed.request
  return id === undefined ? { method } : { method, id }
}

/**
 * Answers 503 with a coded error while the node is short of memory, except to requests about the condition of the
 * node.
 */
export function refusingWhenShort(
  handler: HttpHandler,
  { memory, profile }: { readonly memory: Pick<ClientMemory, 'isShort' | 'refused'>; readonly profile: Profile },
): HttpHandler {
  return (request) => {
    if (!memory.isShort()) return handler(request)
    const { method, id } = callOf(request)
    if (isAlwaysAnswered(method)) return handler(request)
    memory.refused()
    return Promise.resolve(noMemoryResponse(profile, SHORT_OF_MEMORY, id))
  }
}
