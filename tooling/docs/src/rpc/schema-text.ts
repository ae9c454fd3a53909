/** The members of a JSON schema that the RPC reference uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly pattern?: string
  readonly format?: string
  readonly contentEncoding?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
}

/** A member of a described object, or of an object inside that object. Its path is, for example, `txs[].height`. */
export interface Member {
  readonly path: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
}

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

/** Returns a text with the escapes that a cell of a Markdown table needs. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\n/g, ' ')

function textOfString({ contentEncoding, format, pattern }: Schema): string {
  if (contentEncoding === 'base64') return 'bytes, in base64'
  if (format === 'date-time') return 'time, RFC 3339'
  if (pattern?.includes('A-F') === true) return 'bytes, in hex'
  return pattern?.includes('[0-9]+') === true ? 'integer, as a string' : 'string'
}

function plainType(schema: Schema, type: string | undefined): string {
  if (type === 'string') return textOfString(schema)
  if (type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return `object of ${typeOf(schema.additionalProperties)}`
  return type ?? 'any value'
}

/** Returns the type of a value in words. The name of a type links to its description. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref)
    return `[${name}](/reference/rpc/types.md#${name.toLowerCase()})`
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')
  const choices = schema.oneOf ?? schema.anyOf
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ')
  const types = Array.isArray(schema.type) ? (schema.type as readonly string[]) : [schema.type as string | undefined]
  if (types.includes('string') && types.includes('integer')) return 'integer, as a number or a string'
  return types.map((type) => plainType(schema, type)).join(' or ')
}

/** Returns the members of an object, and the members of the objects and lists in it. */
export function membersOf(schema: Schema, above = ''): Member[] {
  const inner = schema.type === 'array' ? schema.items : schema
  const prefix = schema.type === 'array' ? `${above}[]` : above
  if (inner === undefined || inner.$ref !== undefined) return []
  return Object.entries(inner.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    const isRequired = inner.required?.includes(name) === true
    return [
      { path, type: typeOf(member), isRequired, description: member.description ?? '' },
      ...membersOf(member, path),
    ]
  })
}

/** Returns a table of an object's members, or a sentence for a value of another type. */
export function membersTable(schema: Schema): string {
  const members = membersOf(schema)
  if (members.length === 0) return schema.type === 'object' ? 'An object without members.' : `Type: ${typeOf(schema)}.`
  const rows = members.map(({ path, type, isRequired, description }) => {
    const note = `${isRequired ? '' : 'May be absent. '}${description}`.trim()
    return { start: `| \`${path}\` | ${cell(type)} |`, note }
  })
  if (rows.every(({ note }) => note === ''))
    return ['| member | type |', '|---|---|', ...rows.map(({ start }) => start)].join('\n')
  return [
    '| member | type | meaning |',
    '|---|---|---|',
    ...rows.map(({ start, note }) => `${start} ${cell(note)} |`),
  ].join('\n')
}
