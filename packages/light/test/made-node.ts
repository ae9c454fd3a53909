import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignedHeader, Validator } from '@org/types'
import { type JsonObject, stringifyJson } from '@org/types/schema'
import type { Blocks } from './client-fixture.ts'

export interface Call {
  readonly method: string
  readonly params: Readonly<Record<string, string>>
}

/**
 * Changes the result of a call before the node sends it. If the function returns a string, the node sends this string
 * in place of a JSON-RPC answer. If the function returns `undefined`, the node sends no answer.
 */
export type Lie = (result: JsonObject, call: Call) => JsonObject | string | undefined

export interface MadeNode extends AsyncDisposable {
  readonly url: string
  readonly calls: readonly Call[]
  /** Returns the number of HTTP requests that the node has received. */
  readonly requests: () => number
}

const refused = (data: string) => ({ error: { code: -32603, message: 'Internal error', data } })

/** Further methods of the node. The test gives a function for each method, which returns the result of a call. */
export type Extra = Readonly<Record<string, (params: Call['params']) => JsonObject>>

function answerOf(blocks: Blocks, { method, params }: Call, extra: Extra) {
  const made = extra[method]?.(params)
  if (made !== undefined) return { result: made }
  const latest = Math.max(...blocks.keys())
  const height = Number(params.height ?? latest)
  if (method === 'broadcast_evidence') return { result: { hash: '' } }
  if (height > latest) {
    return refused(`height ${height} must be less than or equal to the current blockchain height ${latest}`)
  }
  const block = blocks.get(height)
  if (block === undefined) return refused(`height ${height} is not available, lowest height is 1`)
  const { header, commit, validators } = block
  if (method === 'commit')
    return { result: { signed_header: SignedHeader.toJson({ header, commit }), canonical: true } }
  const [page, perPage] = [Number(params.page), Number(params.per_page)]
  const shown = validators.validators.slice((page - 1) * perPage, page * perPage)
  const total = String(validators.validators.length)
  return {
    result: {
      block_height: String(height),
      validators: shown.map(Validator.toJson),
      count: String(shown.length),
      total,
    },
  }
}

interface SentCall extends Call {
  readonly id: number
}

/** The reply of a gateway that receives several calls in a request and accepts only one. */
const NO_BATCHES = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request' } })

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  let body = ''
  try {
    for await (const chunk of request) body += chunk
    return body
  } catch {
    // The client aborted the request, so the node does not answer it.
    return undefined
  }
}

export interface MadeNodeOptions {
  readonly extra?: Extra
  /** True if the node refuses a request with several calls. */
  readonly refuseBatches?: boolean
}

/**
 * Starts an RPC server with the blocks of a test chain. It answers `commit`, `validators` and `broadcast_evidence`.
 * Before the server sends a result, it changes the result with `lie`.
 */
export async function startMadeNode(
  blocks: Blocks,
  lie: Lie = (result) => result,
  { refuseBatches = false, extra = {} }: MadeNodeOptions = {},
): Promise<MadeNode> {
  const calls: Call[] = []
  let requests = 0

  function replyTo({ id, method, params }: SentCall): string | undefined {
    const call = { method, params }
    calls.push(call)
    const answer = answerOf(blocks, call, extra)
    const changed = 'result' in answer ? lie(answer.result as JsonObject, call) : answer
    if (changed === undefined || typeof changed === 'string') return changed
    return stringifyJson({ jsonrpc: '2.0', id, ...('error' in changed ? changed : { result: changed }) } as JsonObject)
  }

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    if (body === undefined) return
    requests++
    const sent = JSON.parse(body) as SentCall | readonly SentCall[]
    if (!Array.isArray(sent)) {
      const reply = replyTo(sent as SentCall)
      if (reply !== undefined) response.end(reply)
    } else if (refuseBatches) response.end(NO_BATCHES)
    else {
      const replies = (sent as readonly SentCall[]).map(replyTo)
      if (!replies.includes(undefined)) response.end(`[${replies.join(',')}]`)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    requests: () => requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
