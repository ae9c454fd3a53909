import { type Exchange, recordingLines } from '@org/golden'
import { describe, expect, test } from 'vitest'
import { ROUTES } from '../operations/table.ts'
import { createOpenApiDocument } from './index.ts'

type Schema = { readonly [key: string]: unknown }
interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: Schema }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Returns the path of each part of a schema that allows any JSON. */
function anyJsonIn(schema: unknown, path: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const entries = Object.entries(schema)
  if (entries.length === 0 && !path.endsWith('.properties')) return Array.isArray(schema) ? [] : [path]
  return entries.flatMap(([key, value]) => anyJsonIn(value, `${path}.${key}`))
}

const document = createOpenApiDocument({ unsafe: true }) as unknown as Document

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/**
 * Yields a message for each part of `value` that does not fit the schema. Checks only the part of JSON Schema that the
 * document uses.
 */
function* misfits(value: unknown, schema: Schema, path: string): Generator<string> {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.replace('#/components/schemas/', '')
    const target = document.components.schemas[name]
    if (target === undefined) yield `${path}: no schema ${name}`
    else yield* misfits(value, target, path)
    return
  }
  const choices = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined
  if (choices !== undefined) {
    const fits = choices.some((choice) => misfits(value, choice, path).next().done === true)
    if (!fits) yield `${path}: fits no alternative`
    return
  }
  if (schema.enum !== undefined && !(schema.enum as readonly unknown[]).includes(value))
    yield `${path}: not in the list`
  if (schema.type !== undefined && ![schema.type].flat().includes(typeOf(value))) {
    yield `${path}: ${typeOf(value)} is not ${String(schema.type)}`
    return
  }
  if (typeof schema.pattern === 'string' && typeof value === 'string' && !new RegExp(schema.pattern).test(value))
    yield `${path}: ${value.slice(0, 40)} does not fit ${schema.pattern}`
  if (Array.isArray(value) && schema.items !== undefined) {
    for (const [i, item] of value.entries()) yield* misfits(item, schema.items as Schema, `${path}[${i}]`)
  } else if (typeOf(value) === 'object' && schema.properties !== undefined) {
    const object = value as Readonly<Record<string, unknown>>
    const properties = schema.properties as Readonly<Record<string, Schema>>
    for (const name of (schema.required ?? []) as readonly string[])
      if (!(name in object)) yield `${path}.${name}: missing`
    for (const [name, member] of Object.entries(object)) {
      const known = properties[name]
      if (known === undefined) yield `${path}.${name}: not described`
      else yield* misfits(member, known, `${path}.${name}`)
    }
  }
}

describe('OpenAPI document', () => {
  test('default: describes every operation that HTTP has', () => {
    const names = Object.values(ROUTES)
      .filter(({ websocketOnly }) => websocketOnly !== true)
      .map(({ name }) => `/${name}`)
    expect(Object.keys(document.paths).toSorted()).toEqual(['/', '/events', ...names].toSorted())
    expect(createOpenApiDocument()).not.toHaveProperty('paths./dial_seeds')
  })

  test('default: each member of a component has a description; only the state of an application can be any JSON', () => {
    const unknown = Object.entries(document.components.schemas).flatMap(([name, schema]) => anyJsonIn(schema, name))
    expect(unknown).toEqual(['GenesisDoc.properties.app_state'])
  })

  test('default: a member that can be absent, null, a list or another component is described so', () => {
    const { BlockId, Event, Proof, SignedHeader, LightClientAttackEvidence } = document.components.schemas
    expect(BlockId).toEqual({
      type: 'object',
      properties: {
        hash: { type: 'string', pattern: '^([0-9A-F]{2})*$' },
        parts: { $ref: '#/components/schemas/PartSetHeader' },
      },
      required: ['hash', 'parts'],
    })
    expect(Event?.required).toEqual([])
    expect(Proof).toMatchObject({
      properties: { leaf_hash: { type: ['string', 'null'] }, aunts: { type: 'array', items: { type: 'string' } } },
      required: ['total', 'index', 'leaf_hash'],
    })
    expect(SignedHeader).toMatchObject({ properties: { commit: { anyOf: [{}, { type: 'null' }] } } })
    expect(LightClientAttackEvidence).toMatchObject({ properties: { CommonHeight: { type: 'string' } } })
  })

  test('behavior: every recorded answer fits its schema', () => {
    const checked = new Set<string>()
    for (const { transport, request, response } of recordingLines<Exchange>('kvstore-single/answers.jsonl')) {
      const path = request.path?.split('?')[0] ?? ''
      const operation = document.paths[path]?.get
      // The recorded node answered 404 for operations that it did not have, such as those for operators.
      if (response.status === 404) continue
      if (transport !== 'uri' || operation === undefined || typeof response.body !== 'string') continue
      const answers = operation.responses as Readonly<Record<string, Schema>>
      const content = answers[String(response.status)]?.content as
        | { 'application/json': { schema: Schema } }
        | undefined
      const schema = content?.['application/json'].schema
      expect(schema, `${path} ${String(response.status)}`).toBeDefined()
      expect([...misfits(JSON.parse(response.body), schema as Schema, path)]).toEqual([])
      checked.add(path)
    }
    expect(checked.size).toBeGreaterThan(25)
  })
})
