import { parseOpenRPCDocument, validateOpenRPCDocument } from '@open-rpc/schema-utils-js'
import { recordingLines } from '@org/golden'
import { type EventType, eventDataFromJson } from '@org/types'
import type { Json } from '@org/types/schema'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { type Ports, ROUTES } from '../src/index.ts'
import { createOpenApiDocument } from '../src/openapi/index.ts'
import { openapiProfile } from '../src/profiles/openapi.ts'
import { createDumpPorts } from './dump-ports.ts'
import { type RunningRpc, startRpc } from './start-rpc.ts'

interface Parameter {
  readonly name: string
  readonly required?: boolean
  readonly schema: { readonly type?: string; readonly default?: unknown }
  readonly example?: unknown
}
interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, object>> }>>
}
interface Document {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>
  readonly components: { readonly parameters: { readonly profile: Parameter } }
}

const PROFILES = ['v0.38', 'openapi'] as const

async function documentOf(responseProfile: string, path: string, unsafe = true): Promise<object> {
  await using running: RunningRpc = await startRpc({ responseProfile, unsafe })
  return (await (await fetch(`http://127.0.0.1:${running.port}${path}`)).json()) as object
}

function validatorOf(document: object, ...path: readonly string[]) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const parts = path.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
  return ajv.compile({ $ref: `openapi#/${parts.join('/')}` })
}

describe.each(PROFILES)('the documents of a node with the profile %s', (profile) => {
  test('default: /openrpc.json passes the check of OpenRPC', async () => {
    const document = await documentOf(profile, '/openrpc.json')
    expect(validateOpenRPCDocument(document as never)).toBe(true)
    expect((await parseOpenRPCDocument(JSON.stringify(document))).methods).toHaveLength(Object.keys(ROUTES).length)
  })

  test.each([true, false])(
    'default: /openapi.json passes the check of Redocly, unsafe operations: %s',
    async (unsafe) => {
      const config = await createConfig({ extends: ['recommended'] })
      const source = JSON.stringify(await documentOf(profile, '/openapi.json', unsafe))
      expect(await lintFromString({ source, absoluteRef: '/openapi.json', config })).toEqual([])
    },
  )

  test('default: its `application/json` is what the node answers, and the viewer begins with it', async () => {
    await using running = await startRpc({ responseProfile: profile })
    const ask = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${running.port}${path}`)
    const document = (await (await ask('/openapi.json')).json()) as Document
    const { schema, example } = document.components.parameters.profile
    expect([schema.default, example]).toEqual([profile, profile])
    for (const [path, status] of [
      ['/block?height=5', 200],
      ['/block?height=100000', 500],
      ['/validators', 200],
      ['/status', 200],
    ] as const) {
      const name = path.split('?')[0] as string
      const content = document.paths[name]?.get.responses[status]?.content ?? {}
      expect(Object.keys(content)[0]).toBe('application/json')
      const answer = await (await ask(path)).json()
      const at = ['paths', name, 'get', 'responses', String(status), 'content'] as const
      const validate = validatorOf(document, ...at, 'application/json', 'schema')
      validate(answer)
      expect(validate.errors, path).toBeNull()
      // `other` is the media type of the profile that is not the default of the node. If a client names it in `Accept`,
      // the node answers in this profile. So the schema of `other` must describe the answer.
      const [, other = ''] = Object.keys(content)
      const negotiated = await fetch(`http://127.0.0.1:${running.port}${path}`, { headers: { accept: other } })
      const validateOther = validatorOf(document, ...at, other, 'schema')
      validateOther(await negotiated.json())
      expect(validateOther.errors, path).toBeNull()
      if (name === '/block') expect(validateOther(answer)).toBe(false)
    }
  })
})

describe('parameters of the URI', () => {
  const { paths } = createOpenApiDocument({ unsafe: true }) as unknown as Document
  const parameterOf = (path: string, name: string): Parameter | undefined =>
    paths[path]?.get.parameters?.find((parameter) => parameter.name === name)

  test('default: integers are integers with their defaults', () => {
    for (const path of ['/block', '/validators', '/commit', '/abci_query'])
      expect(parameterOf(path, 'height')?.schema, path).toEqual({ type: 'integer', format: 'int64', default: 0 })
    expect(parameterOf('/tx_search', 'per_page')?.schema.default).toBe(30)
    expect(parameterOf('/tx_search', 'page')?.schema.default).toBe(1)
    expect(parameterOf('/unconfirmed_txs', 'limit')?.schema.default).toBe(30)
    for (const { get } of Object.values(paths))
      for (const { schema, example } of get.parameters ?? [])
        if (schema?.type === 'integer' && example !== undefined) expect(Number.isInteger(example)).toBe(true)
  })

  test('behavior: a bare and a quoted integer, and the default, give the same answer', async () => {
    await using running = await startRpc()
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${running.port}${path}`)).text()
    expect(await ask('/validators?height=5&page="1"&per_page=30')).toBe(await ask('/validators?height="5"'))
    expect(await ask('/block?height=0')).toBe(await ask('/block'))
  })

  test('default: only parameters that a call needs are required', () => {
    const required = Object.entries(paths).flatMap(([path, { get }]) =>
      (get.parameters ?? []).filter((one) => one.required === true).map(({ name }) => `${path} ${name}`),
    )
    expect(required.toSorted()).toEqual([
      '/block_by_hash hash',
      '/block_search query',
      '/broadcast_evidence evidence',
      '/broadcast_tx_async tx',
      '/broadcast_tx_commit tx',
      '/broadcast_tx_sync tx',
      '/check_tx tx',
      '/dial_peers peers',
      '/dial_seeds seeds',
      '/events query',
      '/header_by_hash hash',
      '/tx hash',
      '/tx_search query',
    ])
  })
})

describe('the data of /events', () => {
  const document = createOpenApiDocument()
  const ports: Ports = createDumpPorts('kvstore-single', { indexing: true })

  interface Frame {
    readonly result: { readonly data?: { readonly type: string; readonly value: Json }; readonly query: string }
  }
  const recorded = recordingLines<{ readonly frame: string }>('kvstore-single/events.jsonl')
    .map(({ frame }) => (JSON.parse(frame) as Frame).result.data)
    .filter((data) => /NewBlock|NewEvidence|Tx|ValidatorSetUpdates/.test(data?.type ?? ''))

  test('default: every recorded event fits its schema, in both profiles', () => {
    const plain = validatorOf(document, 'components', 'schemas', 'EventData')
    const profiled = validatorOf(document, 'components', 'schemas', 'EventDataText')
    const seen = new Set<string>()
    for (const data of recorded) {
      if (data === undefined) continue
      plain(data)
      expect(plain.errors, data.type).toBeNull()
      const type = data.type.replace('tendermint/event/', '') as EventType
      const item = { data: eventDataFromJson(type, data as unknown as Json), events: {} }
      const text = JSON.parse(`{${openapiProfile.eventText(item as never, ports)}}`) as { readonly data: unknown }
      profiled(text.data)
      expect(profiled.errors, `${type} in openapi`).toBeNull()
      seen.add(type)
    }
    expect([...seen].toSorted()).toEqual(['NewBlock', 'NewBlockEvents', 'NewBlockHeader', 'Tx', 'ValidatorSetUpdates'])
  })

  test('error: data of another kind does not fit', () => {
    const plain = validatorOf(document, 'components', 'schemas', 'EventData')
    expect(plain({ type: 'tendermint/event/Tx', value: {} })).toBe(false)
    expect(plain({ type: 'tendermint/event/Other', value: {} })).toBe(false)
  })
})
