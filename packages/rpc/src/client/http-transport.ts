import { transportError } from './errors.ts'
import { createAnswerBuffer, readBody } from './read-answer.ts'
import type { RpcAnswer, RpcTransport } from './transport.ts'

/**
 * `fetch`, as far as the transport uses it. If an answer has a `body`, the transport reads the body and does not call
 * `json`.
 */
export type HttpFetch = (
  url: string,
  init: RequestInit,
) => Promise<Pick<Response, 'status' | 'json'> & Partial<Pick<Response, 'body'>>>

/** The options of {@link createHttpTransport}. */
export interface HttpTransportOptions {
  /** The function that sends requests. Default: the global `fetch`. */
  readonly fetch?: HttpFetch
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The maximum number of bytes of an answer, uncompressed. A longer answer is refused with `RPC_CLIENT_TRANSPORT`. The
   * option has no effect on the answers of a function `fetch` that return no `body`. Default: 256 MiB, more than the
   * JSON of the largest block.
   */
  readonly maxAnswerBytes?: number
}

const MAX_ANSWER_BYTES = 256 << 20

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
  const { fetch: ask = fetch, maxAnswerBytes = MAX_ANSWER_BYTES } = options
  let nextId = 1

  async function post(body: string, signal: AbortSignal | undefined): Promise<unknown> {
    let response: Awaited<ReturnType<HttpFetch>> | undefined
    try {
      response = await ask(url, {
        method: 'POST',
        headers: { accept: ACCEPT, 'content-type': 'application/json', ...options.headers },
        body,
        ...(signal === undefined ? {} : { signal }),
      })
      if (!response.body) return await response.json()
      const answer = createAnswerBuffer(maxAnswerBytes)
      if (await readBody(response.body, answer.add)) return answer.json()
    } catch (cause) {
      if (signal?.aborted === true) throw signal.reason
      const what = response === undefined ? 'no answer from' : `the answer is not JSON (HTTP ${response.status}) from`
      throw transportError(`${what} ${url}`, cause, response !== undefined)
    }
    const what = `the answer has more than ${maxAnswerBytes} bytes: if you trust ${url}, set a higher maxAnswerBytes`
    throw transportError(what, undefined, true)
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
