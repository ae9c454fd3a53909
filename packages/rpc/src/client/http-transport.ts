import { transportError } from './errors.ts'
import type { RpcAnswer, RpcTransport } from './transport.ts'

/** `fetch`, as far as the transport uses it. */
export type HttpFetch = (url: string, init: RequestInit) => Promise<Pick<Response, 'status' | 'json'>>

/** The options of {@link createHttpTransport}. */
export interface HttpTransportOptions {
  /** The function that sends requests. Default: the global `fetch`. */
  readonly fetch?: HttpFetch
  readonly headers?: Readonly<Record<string, string>>
}

interface Reply {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: unknown
}

function toAnswer(reply: Reply): RpcAnswer {
  return 'error' in reply ? { error: reply.error } : { result: reply.result }
}

/** Returns the replies in a body. A node may send any JSON, so values that cannot be replies are left out. */
function repliesIn(body: unknown): readonly Reply[] {
  const values: readonly unknown[] = Array.isArray(body) ? body : [body]
  return values.filter((value): value is Reply => typeof value === 'object' && value !== null)
}

/**
 * The header `Accept` of a request. It requests the profile v0.38, the only profile that the client reads. Without this
 * header, a Halley node may answer in another profile. Other nodes ignore the parameter `profile` of the header.
 */
const ACCEPT = 'application/json; profile=v0.38'

/** JSON-RPC over POST; several calls at once are one batch. */
export function createHttpTransport(url: string, options: HttpTransportOptions = {}): RpcTransport {
  const ask: HttpFetch = options.fetch ?? fetch
  let nextId = 1

  async function post(body: string, signal: AbortSignal | undefined): Promise<unknown> {
    let response: Pick<Response, 'status' | 'json'> | undefined
    try {
      response = await ask(url, {
        method: 'POST',
        headers: { accept: ACCEPT, 'content-type': 'application/json', ...options.headers },
        body,
        ...(signal === undefined ? {} : { signal }),
      })
      return await response.json()
    } catch (cause) {
      if (signal?.aborted === true) throw signal.reason
      const what = response === undefined ? 'no answer from' : `the answer is not JSON (HTTP ${response.status}) from`
      throw transportError(`${what} ${url}`, cause, response !== undefined)
    }
  }

  return {
    send: async (calls, signal) => {
      if (calls.length === 0) return []
      const requests = calls.map(({ method, params }) => ({ jsonrpc: '2.0', id: nextId++, method, params }))
      const single = requests.length === 1
      const body = await post(JSON.stringify(single ? requests[0] : requests), signal)
      const replies = repliesIn(body)
      // If the node refuses a whole batch, it sends one reply with an error. This error is then the answer to each
      // call.
      if (replies.length === 1 && replies[0] !== undefined && (single || replies[0].error !== undefined)) {
        const answer = toAnswer(replies[0])
        return requests.map(() => answer)
      }
      const byId = new Map(replies.map((reply) => [reply.id, reply]))
      return requests.map(({ id, method }) => {
        const reply = byId.get(id)
        if (reply === undefined) throw transportError(`${url} did not answer ${method}`, undefined, true)
        return toAnswer(reply)
      })
    },
    close: () => undefined,
  }
}
