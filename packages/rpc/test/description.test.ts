import { type Exchange, recordingLines } from '@org/golden'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Route } from '../src/call/route.ts'
import { ROUTES } from '../src/index.ts'
import { createOpenApiDocument } from '../src/openapi/index.ts'
import { VIEWER_PATHS } from '../src/transports/viewer.ts'
import { createDumpPorts } from './dump-ports.ts'
import { anyExchange } from './generate-requests.ts'
import { startRpc } from './start-rpc.ts'

const PROFILED = 'application/json; profile=openapi'

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(createOpenApiDocument({ unsafe: true, devnet: true }), 'openapi')

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
const known = new Map<string, ValidateFunction>()

function validatorAt(...path: readonly string[]): ValidateFunction {
  const [document = '', ...parts] = path
  const ref = `${document}#/${parts.map(escaped).join('/')}`
  const made = known.get(ref) ?? ajv.compile({ $ref: ref })
  known.set(ref, made)
  return made
}

const answerToCalls = (status: number, media: string): ValidateFunction =>
  validatorAt('openapi', 'paths', '/', 'post', 'responses', String(status), 'content', media, 'schema')

function answerValidator(name: string, status: number, media: string): ValidateFunction {
  return validatorAt('openapi', 'paths', `/${name}`, 'get', 'responses', String(status), 'content', media, 'schema')
}

function expectValid(validate: ValidateFunction, value: unknown, what: string): void {
  const fits = validate(value)
  expect(fits ? [] : validate.errors, what).toEqual([])
}

const callable = (Object.values(ROUTES) as readonly Route[]).filter(({ websocketOnly }) => websocketOnly !== true)
const names = new Set(callable.map(({ name }) => name))

describe('answers against the description', () => {
  test.each(['kvstore-single', 'kvstore-four', 'e2e-voteext'])(
    'default: every recorded answer by URI: %s',
    (scenario) => {
      const checked = new Set<string>()
      for (const { id, transport, request, response } of recordingLines<Exchange>(`${scenario}/answers.jsonl`)) {
        const name = request.path?.split('?')[0]?.slice(1) ?? ''
        if (transport !== 'uri' || !names.has(name) || typeof response.body !== 'string') continue
        if (response.status !== 200 && response.status !== 500) continue
        expectValid(answerValidator(name, response.status, 'application/json'), JSON.parse(response.body), id)
        checked.add(name)
      }
      expect(checked.size).toBeGreaterThan(10)
    },
  )

  test.each(['kvstore-single', 'kvstore-four', 'e2e-voteext'])(
    'default: every recorded answer to calls and batches over POST: %s',
    (scenario) => {
      let count = 0
      for (const { id, request, response } of recordingLines<Exchange>(`${scenario}/answers.jsonl`)) {
        const { body } = response
        if (request.method !== 'POST' || request.path !== '/' || typeof body !== 'string' || !/^[[{]/.test(body))
          continue
        expectValid(answerToCalls(response.status as number, 'application/json'), JSON.parse(body), id)
        count++
      }
      expect(count).toBeGreaterThan(40)
    },
  )

  test.each([
    ['kvstore-single', 'db-dump'],
    ['kvstore-four', 'db-dump-node0'],
  ])('behavior: answers in both profiles, every height of %s', async (scenario, dump) => {
    const ports = createDumpPorts(scenario, { indexing: true, dump })
    await using running = await startRpc({}, ports)
    const byHeight = ['block', 'block_results', 'commit', 'header', 'validators', 'consensus_params', 'blockchain']
    for (const name of [...byHeight, 'status', 'genesis', 'genesis_chunked', 'tx', 'net_info', 'abci_query']) {
      const heights = byHeight.includes(name) ? [1, 2, 5, 14, 15, ports.blocks.height(), 10_000] : [1]
      for (const height of heights) {
        for (const [profile, media] of [
          ['v0.38', 'application/json'],
          ['openapi', PROFILED],
        ] as const) {
          const path = `/${name}?height=${height}&profile=${profile}`
          const response = await fetch(`http://127.0.0.1:${running.port}${path}`)
          expectValid(answerValidator(name, response.status, media), await response.json(), path)
        }
      }
    }
  })
})

test.each([
  ['v0.38', 'application/json'],
  ['openapi', PROFILED],
])('behavior: answers to generated questions, in the profile %s', async (responseProfile, media) => {
  await using running = await startRpc({ responseProfile, unsafe: true })
  const checked = new Set<string>()
  let count = 0
  for (const { transport, request } of fc.sample(anyExchange, { numRuns: 1500, seed: 7 })) {
    const { path = '', method = 'GET' } = request
    const name = path.slice(1).split('?')[0] ?? ''
    if (transport !== 'uri' || method === 'HEAD' || !names.has(name)) continue
    const response = await fetch(`http://127.0.0.1:${running.port}${path}`, { method })
    expectValid(answerValidator(name, response.status, media), await response.json(), path)
    checked.add(`${name} ${response.status}`)
    count++
  }
  expect([count > 300, checked.size > 25]).toEqual([true, true])
})

test.each([
  ['v0.38', 'application/json'],
  ['openapi', PROFILED],
])('behavior: answers to generated calls and batches, in the profile %s', async (responseProfile, media) => {
  await using running = await startRpc({ responseProfile, unsafe: true })
  const seen = new Set<string>()
  for (const { transport, request } of fc.sample(anyExchange, { numRuns: 600, seed: 13 })) {
    if (transport !== 'jsonrpc' || typeof request.body !== 'string') continue
    const response = await fetch(`http://127.0.0.1:${running.port}/`, { method: 'POST', body: request.body })
    const text = await response.text()
    if (text === '' || text.startsWith('<')) continue
    const answer: unknown = JSON.parse(text)
    expectValid(answerToCalls(response.status, media), answer, request.body)
    seen.add(`${response.status} ${Array.isArray(answer) ? 'batch' : Object.keys(answer as object).join()}`)
  }
  expect(seen.size).toBeGreaterThanOrEqual(4)
})

test('error: an answer of one profile does not fit the other', async () => {
  await using running = await startRpc()
  const ask = async (profile: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${running.port}/block?height=5&profile=${profile}`)).json()
  expect(answerValidator('block', 200, PROFILED)(await ask('v0.38'))).toBe(false)
  expect(answerValidator('block', 200, 'application/json')(await ask('openapi'))).toBe(false)
})

describe('extra paths', () => {
  test('default: serves the documents, the viewer and the probes', async () => {
    await using running = await startRpc()
    const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${running.port}${path}`)
    expect(await (await get('/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' })
    expect(await (await get('/openrpc.json')).json()).toMatchObject({ openrpc: '1.3.2' })
    const page = await (await get('/docs')).text()
    const files = [...page.matchAll(/(?:href|src)="([^"]+)"/g)]
      .map(([, file]) => file as string)
      .filter((file) => !file.startsWith('data:'))
    expect(files).toEqual(['docs/swagger-ui.css', 'docs/swagger-ui-bundle.js'])
    for (const file of files) {
      const response = await get(`/${file}`)
      expect(response.status).toBe(200)
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100_000)
    }
    expect(await (await get('/livez')).text()).toBe('alive\n')
    expect((await get('/readyz')).status).toBe(200)
    const listing = await (await get('/')).text()
    expect(listing).not.toMatch(/openapi|openrpc|docs|livez|readyz/)
  })

  test('limit: all requests for a file of the viewer share its bytes', async () => {
    const answer = VIEWER_PATHS.find(([path]) => path === '/docs/swagger-ui-bundle.js')?.[1]
    const [first, second] = await Promise.all([answer?.(), answer?.()])
    expect(first?.body[0]).toBeInstanceOf(Uint8Array)
    expect(second?.body[0]).toBe(first?.body[0])
  })

  test('error: no other page may show the viewer in a frame', async () => {
    await using running = await startRpc()
    const { headers } = await fetch(`http://127.0.0.1:${running.port}/docs`)
    expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test('behavior: not ready while catching up, or when the last block is old', async () => {
    const ports = createDumpPorts('kvstore-single', { indexing: true })
    const consensus = { ...(ports.consensus as NonNullable<typeof ports.consensus>), waitSync: () => true }
    await using behind = await startRpc({}, { consensus })
    const answer = await fetch(`http://127.0.0.1:${behind.port}/readyz`)
    expect([answer.status, await answer.text()]).toEqual([503, 'catching up\n'])
    const syncProgress = () => 'block sync: at height 7 of 9, from 2 peers'
    await using syncing = await startRpc({}, { consensus: { ...consensus, syncProgress } })
    const progress = await fetch(`http://127.0.0.1:${syncing.port}/readyz`)
    expect([progress.status, await progress.text()]).toEqual([503, `${syncProgress()}\n`])
    await using old = await startRpc({ readyMaxLagMs: 1 })
    expect((await fetch(`http://127.0.0.1:${old.port}/readyz`)).status).toBe(503)
  })

  test.each(['/openapi.json', '/openrpc.json', '/docs', '/docs/swagger-ui.css', '/livez', '/readyz'])(
    'behavior: a strict node has none: %s',
    async (path) => {
      await using running = await startRpc({ strict: true })
      const response = await fetch(`http://127.0.0.1:${running.port}${path}`)
      expect([response.status, await response.text()]).toEqual([404, '404 page not found\n'])
    },
  )
})
