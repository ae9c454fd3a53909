import { recordingLines } from '@org/golden'
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/events/query/index.ts'

interface Exchange {
  readonly id: string
  readonly run: string
  readonly transport: string
  readonly request: { readonly path: string; readonly body?: unknown; readonly frames?: readonly unknown[] }
  readonly response: unknown
}

const METHODS = /_search|subscribe/

function queriesOf({ transport, request }: Exchange): string[] {
  if (transport === 'uri') {
    const [route = '', search = ''] = request.path.split('?')
    const quoted = METHODS.test(route) ? new URLSearchParams(search).get('query') : null
    return quoted !== null && /^"([^"\\])*"$/.test(quoted) ? [quoted.slice(1, -1)] : []
  }
  return [request.body, ...(request.frames ?? [])].flatMap((text) => {
    if (typeof text !== 'string' || !text.startsWith('{')) return []
    try {
      const { method, params } = JSON.parse(text) as { method: string; params?: { query?: unknown } }
      return METHODS.test(method) && typeof params?.query === 'string' ? [params.query] : []
    } catch {
      return []
    }
  })
}

/** Returns the reference's syntax error in an answer; `undefined` if the answer has none. */
function recordedError(response: unknown): string | undefined {
  let found: string | undefined
  JSON.stringify(response, (_key, value) => {
    if (typeof value === 'string' && value.startsWith('{')) {
      const { error } = JSON.parse(value) as { error?: { data?: string } }
      found ??= /offset \d+: .*$/s.exec(error?.data ?? '')?.[0]
    }
    return value
  })
  return found
}

function errorOf(query: string): string | undefined {
  try {
    parseQuery(query)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

describe.each(['kvstore-single', 'kvstore-four', 'e2e-voteext'])('queries asked of %s', (scenario) => {
  it('default: each query parses or fails as in the reference', () => {
    const exchanges = recordingLines<Exchange>(`${scenario}/answers.jsonl`).filter(
      // The node of the run `noindex` has no index. Such a node does not parse queries, so its answers show no syntax
      // errors. The other runs are compared only in the exchanges that have exactly one query.
      (exchange) => exchange.run !== 'noindex' && queriesOf(exchange).length === 1,
    )
    expect(exchanges.length).toBeGreaterThan(10)
    for (const exchange of exchanges) {
      const [query] = queriesOf(exchange) as [string]
      expect([exchange.id, errorOf(query)]).toEqual([exchange.id, recordedError(exchange.response)])
    }
  })
})
