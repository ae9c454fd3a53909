import { type Exchange, recordingLines } from '@org/golden'
import type { Route } from '../src/call/route.ts'
import { ROUTES } from '../src/index.ts'
import { OWN_EXAMPLES } from '../src/openapi/own-examples.ts'

const SCENARIOS = ['kvstore-single', 'kvstore-four', 'e2e-voteext'] as const
/** The maximum length of an answer that is used as an example. */
const MAX_LENGTH = 6000

interface Call {
  readonly id: string
  readonly method: string
  /** The parameters as in a URI. */
  readonly uri: Readonly<Record<string, string>>
  /** The parameters as in JSON-RPC. */
  readonly json: Readonly<Record<string, unknown>>
  readonly result: unknown
  readonly error: { readonly code: number; readonly message: string; readonly data?: string } | undefined
}

interface Answer {
  readonly result?: unknown
  readonly error?: Call['error']
}

interface Request {
  readonly id?: unknown
  readonly method: string
  readonly params?: unknown
}

const isNamed = (params: unknown): params is Record<string, unknown> =>
  typeof params === 'object' && params !== null && !Array.isArray(params)

function called(id: string, { method, params }: Request, { result, error }: Answer): Call {
  return { id, result, error, method, uri: {}, json: isNamed(params) ? params : {} }
}

function fromUri(id: string, path: string, { result, error }: Answer): Call {
  const [method = '', query] = path.slice(1).split('?')
  return { id, result, error, method, uri: Object.fromEntries(new URLSearchParams(query)), json: {} }
}

/** Returns the recorded calls over a WebSocket. A call consists of a request and the answer with the same id. */
function fromFrames(id: string, asked: readonly string[], answered: readonly string[]): readonly Call[] {
  const answers = answered.map((frame) => JSON.parse(frame) as Answer & { readonly id?: unknown })
  return asked.flatMap((frame) => {
    const request = JSON.parse(frame) as Request
    const answer = answers.find((one) => one.id === request.id)
    return answer === undefined ? [] : [called(id, request, answer)]
  })
}

function callsOf({ id, transport, request, response }: Exchange): readonly Call[] {
  const { body, path = '', frames } = request as { body?: unknown; path?: string; frames?: readonly string[] }
  try {
    const answered = (response as { readonly frames?: readonly string[] }).frames
    if (frames !== undefined) return fromFrames(id, frames, answered ?? [])
    const answer = JSON.parse(String(response.body)) as Answer
    if (answer.result === undefined && answer.error === undefined) return []
    return [transport === 'uri' ? fromUri(id, path, answer) : called(id, JSON.parse(String(body)) as Request, answer)]
  } catch {
    return []
  }
}

const calls = SCENARIOS.flatMap((scenario) => [...recordingLines<Exchange>(`${scenario}/answers.jsonl`)]).flatMap(
  callsOf,
)

const lengthOf = (value: unknown): number => JSON.stringify(value).length

const isBare = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

/**
 * Rates a result as an example: the higher the number, the better the example. Empty members show little, and a short
 * result is easier to read.
 */
function worth({ result }: Call): number {
  const members = typeof result === 'object' && result !== null ? Object.values(result) : []
  const empty = JSON.stringify(result).match(/:(\[\]|null|"")/g)?.length ?? 0
  return -members.filter(isBare).length * MAX_LENGTH - empty * 100 - lengthOf(result) / 4
}

function best(list: readonly Call[]): Call | undefined {
  return list.toSorted((a, b) => worth(b) - worth(a) || (a.id < b.id ? -1 : 1))[0]
}

/**
 * Returns an example value of a parameter, from a call that succeeded, or from any call if none succeeded. Values that
 * show little, such as 0 or an empty text, are not used.
 */
function valuesOf(route: Route, name: string, form: 'uri' | 'json'): unknown {
  const own = calls.filter(({ method }) => method === route.name)
  const good = own.filter(({ error }) => error === undefined)
  const given = [...good, ...own].map((call) => call[form][name]).filter((value) => isTelling(value))
  return given[0]
}

const isTelling = (value: unknown): boolean =>
  value !== undefined && value !== null && !['', '""', '0', '-0', '0x', '[]'].includes(String(value))

function exampleOf(route: Route): readonly string[] {
  const own = calls.filter(({ method }) => method === route.name)
  const good = best(own.filter(({ result }) => result !== undefined && lengthOf(result) <= MAX_LENGTH))
  const wrong = own
    .filter(({ error }) => (error?.data ?? '') !== '' && /^(?!reflect:)[\x20-\x7e]{1,200}$/.test(error?.data ?? ''))
    .toSorted((a, b) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1))
  const error = wrong.find(({ error: found }) => found?.code === -32603) ?? wrong[0]
  const lines: string[] = []
  for (const form of ['uri', 'json'] as const) {
    const values = route.paramNames
      .map((name) => [name, valuesOf(route, name, form)] as const)
      .filter(([, value]) => value !== undefined)
    if (values.length > 0) lines.push(`${form}: ${literal(Object.fromEntries(values))},`)
  }
  if (good !== undefined) lines.push(`result: ${literal(good.result)},`)
  if (error?.error !== undefined) lines.push(`error: ${literal(error.error)},`)
  return lines
}

/** Writes JSON as a TypeScript literal. */
function literal(value: unknown): string {
  return `'${JSON.stringify(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/**
 * Returns the TypeScript text of the file with the examples of the OpenAPI document. The examples come from the
 * recordings.
 */
export function examplesSource(): string {
  const routes = (Object.values(ROUTES) as readonly Route[]).filter(({ name }) => !(name in OWN_EXAMPLES))
  return `/*
 * Generated from the recordings of a real node: \`vitest run packages/rpc/test/examples.test.ts -u\` writes it again.
 */

import type { RecordedExample } from './recorded-example.ts'

export const EXAMPLES: Readonly<Record<string, RecordedExample>> = {
${routes.map((route) => `  ${route.name}: {\n    ${exampleOf(route).join('\n    ')}\n  },`).join('\n')}
}
`
}
