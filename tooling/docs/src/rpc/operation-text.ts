import { cell, membersTable, type Schema, typeOf } from './schema-text.ts'

interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
}

/** A method of the OpenRPC document. */
export interface Method {
  readonly name: string
  readonly summary: string
  readonly tags: readonly { readonly name: string }[]
  readonly description?: string
  readonly params: readonly Parameter[]
  readonly result: { readonly schema: Schema }
  readonly errors?: readonly { readonly code: number; readonly message: string; readonly data?: string }[]
  readonly examples?: readonly {
    readonly params: readonly { readonly name: string; readonly value: unknown }[]
    readonly result?: { readonly value: unknown }
  }[]
}

/** A parameter of an operation in the OpenAPI document. */
export interface UriParameter {
  readonly name?: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly example?: unknown
}

const ADDRESS = 'http://127.0.0.1:26657'

/**
 * The maximum number of lines of an example answer. Without a maximum, a genesis document would fill thousands of
 * lines.
 */
const MAX_LINES = 60

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``

/** Returns the URL of an operation, as `curl` requests it. */
export function uriOf(name: string, parameters: readonly UriParameter[]): string {
  const given = parameters.filter((parameter) => parameter.name !== undefined && parameter.example !== undefined)
  const query = given.map(({ name, example }) => `${name}=${encodeURI(String(example)).replaceAll('%22', '"')}`)
  return `${ADDRESS}/${name}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

const hasTag = ({ tags }: Method, tag: string): boolean => tags.some(({ name }) => name === tag)

/** Returns a JSON-RPC request that calls a method with the parameters of the method's example. */
export function requestOf({ name, examples }: Method): string {
  const given = (examples?.[0]?.params ?? []).map(({ name, value }) => [name, value])
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: Object.fromEntries(given) })
}

function callText(method: Method, parameters: readonly UriParameter[] | undefined): string[] {
  const uri = `curl '${uriOf(method.name, parameters ?? []).replaceAll("'", '%27')}'`
  if (hasTag(method, 'Events')) return [fence('sh', uri)]
  const request = requestOf(method)
  if (parameters === undefined) return ['Send this message on the WebSocket:', '', fence('json', request)]
  const byUri = hasTag(method, 'Unsafe') ? [] : [uri]
  const body = request.replaceAll("'", "'\\''")
  return [fence('sh', [...byUri, `curl ${ADDRESS} -H 'Content-Type: application/json' \\\n  -d '${body}'`].join('\n'))]
}

function exampleText(method: Method): string[] {
  const result = method.examples?.[0]?.result
  if (result === undefined) return []
  const lines = JSON.stringify(result.value, null, 2).split('\n')
  const cut = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), '…'] : lines
  return ['::: details Example of a result', fence('json', cut.join('\n')), ':::', '']
}

function parametersText({ params }: Method): string[] {
  if (params.length === 0) return ['No parameters.']
  const rows = params.map(
    ({ name, required, description, schema }) =>
      `| \`${name}\` | ${cell(typeOf(schema))} | ${required ? 'yes' : 'no'} | ${cell(description)} |`,
  )
  return ['| parameter | type | required | meaning |', '|---|---|---|---|', ...rows]
}

const camelCase = (name: string): string => name.replace(/_([a-zA-Z])/g, (_all, letter: string) => letter.toUpperCase())

function clientText(method: Method): string {
  if (hasTag(method, 'Events')) return ''
  if (hasTag(method, 'WebSocket'))
    return 'In the typed client, `client.subscribe(query)` is a loop that sends this call.'
  const client = hasTag(method, 'Devnet') ? 'createDevnetClient(transport)' : 'client'
  return `In the typed client: \`${client}.${camelCase(method.name)}(…)\`.`
}

/**
 * Returns the description of one operation as Markdown. `parameters` are those of the operation's URI, and
 * `undefined` if the operation has no URI.
 */
export function operationText(method: Method, parameters: readonly UriParameter[] | undefined): string {
  const errors = (method.errors ?? []).map(
    ({ code, message, data }) => `- \`${code}\` ${message}${data === undefined ? '' : `: \`${data}\``}`,
  )
  return [
    `## ${method.name}`,
    '',
    method.summary,
    ...(method.description === undefined ? [] : ['', method.description]),
    '',
    ...parametersText(method),
    '',
    ...callText(method, parameters),
    '',
    clientText(method),
    '',
    '**Result**',
    '',
    membersTable(method.result.schema),
    '',
    ...exampleText(method),
    ...(errors.length === 0 ? [] : ['**Example of an error**', '', ...errors, '']),
  ].join('\n')
}
