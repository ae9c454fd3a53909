import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json, JsonObject } from '@org/types/schema'
import { onTestFinished } from 'vitest'

/** A change of one member of the results of one method. */
export interface Lie {
  readonly method: string
  readonly path: readonly (string | number)[]
}

export interface LyingNode {
  readonly url: string
  /** Begins to lie; `undefined`: passes the truth on. */
  readonly lie: (lie: Lie | undefined) => void
  /** Answers all calls with an error of this text. */
  readonly refuse: (text: string) => void
  /** The methods that were called. */
  readonly calls: string[]
}

/** Another value of the same form. */
function other(value: Json): Json {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string') throw new Error('this member cannot be changed')
  if (/^\d{1,15}$/.test(value)) return String(BigInt(value) + 1n)
  const digit = value.startsWith('A') ? 'B' : 'A'
  return digit + value.slice(1)
}

function changed(value: Json, [name, ...rest]: readonly (string | number)[]): Json {
  if (name === undefined) return other(value)
  const copy = structuredClone(value) as Record<string | number, Json>
  copy[name] = changed(copy[name] ?? null, rest)
  return copy as Json
}

/** Passes JSON-RPC calls on to a node, and changes one member of its answers. */
export async function startLyingNode(nodeUrl: string): Promise<LyingNode> {
  let current: Lie | undefined
  let refusal: string | undefined
  const calls: string[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const { id, method } = JSON.parse(body.toString()) as { readonly id: number; readonly method: string }
    calls.push(method)
    if (refusal !== undefined) {
      const error = { code: -32603, message: 'Internal error', data: refusal }
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error }))
      return
    }
    const answer = (await (await fetch(nodeUrl, { method: 'POST', body })).json()) as JsonObject
    const isLie = current?.method === method && answer.result !== undefined
    const result = isLie ? changed(answer.result ?? null, current?.path ?? []) : answer.result
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(result === undefined ? answer : { ...answer, result }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: (lie) => {
      current = lie
    },
    refuse: (text) => {
      refusal = text
    },
    calls,
  }
}
