import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import type { Route } from '../src/call/route.ts'
import { ROUTES } from '../src/index.ts'
import { createOpenApiDocument, createOpenRpcDocument } from '../src/openapi/index.ts'

type Node = { readonly [key: string]: unknown }
interface Media {
  readonly schema: Node
  readonly example?: unknown
}
interface Operation {
  readonly description?: string
  readonly parameters: readonly { readonly $ref?: string; readonly name: string; readonly description: string }[]
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, Media>> }>>
}

const document = createOpenApiDocument({ unsafe: true, devnet: true })
const paths = document.paths as Readonly<Record<string, { readonly get: Operation }>>
const operations = Object.entries(paths).filter(([path]) => path !== '/')

async function problemsOf(source: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(source), absoluteRef: '/openapi.json', config })
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`)
}

describe('the description', () => {
  test.each([true, false])('default: Redocly finds no fault, with unsafe operations: %s', async (unsafe) => {
    expect(await problemsOf(createOpenApiDocument({ unsafe, devnet: unsafe }))).toEqual([])
  })

  test('error: Redocly finds a planted fault', async () => {
    const { license: _license, ...info } = document.info as Node
    expect(await problemsOf({ ...document, info })).toEqual([expect.stringContaining('license')])
  })

  test('default: every operation, parameter and failure is described, with an example', () => {
    for (const [path, { get }] of operations) {
      expect(get.description, path).toBeTruthy()
      for (const parameter of get.parameters) {
        if (parameter.$ref !== undefined) continue
        expect(parameter.description, `${path} ${parameter.name}`).toBeTruthy()
        expect(parameter, `${path} ${parameter.name}`).toHaveProperty('example')
      }
      for (const [status, { content }] of Object.entries(get.responses))
        for (const [media, one] of Object.entries(content))
          expect(one, `${path} ${status} ${media}`).toHaveProperty('example')
    }
  })

  test('default: every example fits its schema, in both profiles', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    formats.default(ajv)
    ajv.addSchema(document, 'openapi')
    let checked = 0
    for (const [path, { get }] of operations) {
      for (const [status, { content }] of Object.entries(get.responses)) {
        for (const [media, { example }] of Object.entries(content)) {
          const parts = ['paths', path, 'get', 'responses', status, 'content', media, 'schema']
          const pointer = parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
          const validate = ajv.compile({ $ref: `openapi#/${pointer.join('/')}` })
          validate(example)
          expect(validate.errors, `${path} ${status} ${media}`).toBeNull()
          checked++
        }
      }
    }
    expect(checked).toBeGreaterThan(150)
  })

  test('default: every method of the OpenRPC document has its parameters described and an example', () => {
    const methods = createOpenRpcDocument({ unsafe: true }).methods as readonly (Node & {
      readonly name: string
      readonly params: readonly { readonly name: string; readonly description: string }[]
    })[]
    expect(methods.map(({ name }) => name).sort()).toEqual(Object.keys(ROUTES).sort())
    expect((Object.values(ROUTES) as readonly Route[]).filter(({ own }) => own !== true)).toHaveLength(34)
    for (const method of methods) {
      for (const { name, description } of method.params) expect(description, `${method.name} ${name}`).toBeTruthy()
      expect(method, method.name).toHaveProperty('examples')
      expect(method, method.name).toHaveProperty('errors')
    }
  })
})
