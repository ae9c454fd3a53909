import { type Exchange, recordingLines } from '@org/golden'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOpenRpcDocument } from '../src/openapi/index.ts'
import { anyExchange } from './generate-requests.ts'
import { startRpc } from './start-rpc.ts'

interface Method {
  readonly name: string
  readonly params: readonly { readonly name: string }[]
  readonly errors?: readonly { readonly code: number; readonly message: string }[]
  readonly examples?: readonly {
    readonly params: readonly { readonly name: string; readonly value: unknown }[]
    readonly result: { readonly name: string; readonly value: unknown }
  }[]
}

interface Reply {
  readonly id?: unknown
  readonly result?: unknown
}

const document = createOpenRpcDocument({ unsafe: true })
const methods = document.methods as readonly Method[]
const indexes = new Map(methods.map(({ name }, index) => [name, index]))

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(document, 'openrpc')
/** The shape of an error in the OpenRPC specification. */
const isError = ajv.compile({
  type: 'object',
  properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} },
  required: ['code', 'message'],
  additionalProperties: false,
})

const known = new Map<string, ValidateFunction>()

function validatorOf(method: string, ...path: readonly string[]): ValidateFunction {
  const ref = `openrpc#/methods/${indexes.get(method)}/${path.join('/')}/schema`
  const made = known.get(ref) ?? ajv.compile({ $ref: ref })
  known.set(ref, made)
  return made
}

function expectValid(validate: ValidateFunction, value: unknown, what: string): void {
  const fits = validate(value)
  expect(fits ? [] : validate.errors, what).toEqual([])
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** A request. Its answer has the same id. */
interface Asked {
  readonly id?: unknown
  readonly method?: unknown
}

/**
 * Returns whether the names of all members of a request are in lower case. The node also accepts names with capital
 * letters, but the OpenRPC document does not describe them. So requests with such names are not checked.
 */
const isPlain = (one: unknown): one is Asked =>
  typeof one === 'object' && one !== null && Object.keys(one).every((key) => key === key.toLowerCase())

/**
 * Checks the answers to one call or a batch, except errors. Returns the names of the methods whose results were
 * checked.
 */
function checkResults(asked: unknown, answered: unknown, what: string): readonly string[] {
  const calls = listOf(asked).filter(isPlain)
  // An id that is not a whole number is truncated in the answer, and may then equal the id of another call. So the
  // answer cannot be assigned to its call, and these requests are skipped.
  if (calls.some(({ id }) => typeof id === 'number' && !Number.isInteger(id))) return []
  const replies = listOf(answered).filter((one): one is Reply => typeof one === 'object' && one !== null)
  return calls.flatMap(({ id, method }) => {
    const same = calls.filter((call) => JSON.stringify(call.id) === JSON.stringify(id))
    const reply = replies.find((one) => JSON.stringify(one.id) === JSON.stringify(id))
    if (same.length > 1 || typeof method !== 'string' || !indexes.has(method) || reply?.result === undefined) return []
    expectValid(validatorOf(method, 'result'), reply.result, `${what}: ${method}`)
    return [method]
  })
}

describe('the OpenRPC document', () => {
  test.each(methods)('default: $name: its examples fit its parameters and its result', (method) => {
    const { name, params, errors = [], examples = [] } = method
    for (const example of examples) {
      for (const { name: param, value } of example.params) {
        const index = params.findIndex((one) => one.name === param)
        expect(index, param).toBeGreaterThanOrEqual(0)
        expectValid(validatorOf(name, 'params', String(index)), value, param)
      }
      expectValid(validatorOf(name, 'result'), example.result.value, 'result')
    }
    for (const error of errors) expectValid(isError, error, 'error')
    // Every operation has an example of an answer or of a failure.
    expect(examples.length + errors.length).toBeGreaterThan(0)
  })

  test.each(['kvstore-single', 'kvstore-four', 'e2e-voteext'])(
    'default: every recorded result over JSON-RPC, also of batches and over WebSocket, fits its schema: %s',
    (scenario) => {
      const checked = new Set<string>()
      for (const { id, request, response } of recordingLines<Exchange>(`${scenario}/answers.jsonl`)) {
        const asked = [parsed(request.body), ...(request.frames ?? []).map(parsed)].flatMap(listOf)
        const answered = [
          parsed(response.body),
          ...((response.frames ?? []) as readonly unknown[]).map(parsed),
        ].flatMap(listOf)
        for (const method of checkResults(asked, answered, id)) checked.add(method)
      }
      expect(checked.size).toBeGreaterThan(4)
    },
  )

  test('behavior: answers to generated calls fit their schema', async () => {
    await using running = await startRpc({ unsafe: true })
    const checked = new Set<string>()
    for (const { transport, request } of fc.sample(anyExchange, { numRuns: 1500, seed: 11 })) {
      if (transport !== 'jsonrpc' || typeof request.body !== 'string') continue
      const response = await fetch(`http://127.0.0.1:${running.port}/`, { method: 'POST', body: request.body })
      for (const method of checkResults(parsed(request.body), parsed(await response.text()), request.body))
        checked.add(method)
    }
    expect(checked.size).toBeGreaterThan(10)
  })

  test('error: a result of another operation does not fit', () => {
    const [example] = methods.find(({ name }) => name === 'block')?.examples ?? []
    expect(validatorOf('block', 'result')(example?.result.value)).toBe(true)
    expect(validatorOf('commit', 'result')(example?.result.value)).toBe(false)
  })
})
