import type { JsonSchema } from '../routes/params.ts'
import type { Route } from '../routes/route.ts'
import { ROUTES } from '../routes/table.ts'
import { COMPONENT_SCHEMAS } from './components.ts'
import { PROFILE_COMPONENTS, profileSchema } from './profile-components.ts'

export interface OpenApiOptions {
  readonly title?: string
  /** Where a node answers. */
  readonly servers?: readonly string[]
  /** Whether the operations for operators are described too. */
  readonly unsafe?: boolean
}

type Node = { readonly [key: string]: unknown }

const ENVELOPE = { jsonrpc: { type: 'string', const: '2.0' }, id: { type: ['integer', 'string'] } }

function envelope(result: JsonSchema): Node {
  return { type: 'object', required: ['jsonrpc', 'id', 'result'], properties: { ...ENVELOPE, result } }
}

/** The media type of the profile with the service document's shapes. */
const PROFILED = 'application/json; profile=openapi'

const FAILURE: Node = {
  description: 'The call failed; `error` says why.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['jsonrpc', 'error'],
        properties: { ...ENVELOPE, error: { $ref: '#/components/schemas/RpcError' } },
      },
    },
    [PROFILED]: {
      schema: {
        type: 'object',
        required: ['jsonrpc', 'id', 'error'],
        properties: { ...ENVELOPE, error: { type: 'string' } },
      },
    },
  },
}

const UNKNOWN_PROFILE: Node = {
  description: 'There is no such profile; `error` lists those that there are.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['jsonrpc', 'id', 'error'],
        properties: { ...ENVELOPE, error: { $ref: '#/components/schemas/RpcError' } },
      },
    },
  },
}

const PROFILE_PARAMETER: Node = {
  name: 'profile',
  in: 'query',
  required: false,
  description: 'How the answer is written: `v0.38`, or `openapi` for the shapes of the service document.',
  schema: { type: 'string', enum: ['v0.38', 'openapi'] },
}

const profileRef: Node = { $ref: '#/components/parameters/profile' }

const HEIGHT_HEADERS: Node = {
  'Cache-Control': { description: 'Present if the answer can never change.', schema: { type: 'string' } },
}

/** In a URI text and bytes stand in quotes or as `0x` hex. */
function uriParameter(route: Route, name: string): Node {
  const schema = route.params[name]?.schema ?? {}
  const isText = schema.type === 'string' && !('pattern' in schema && schema.pattern === '^-?[0-9]+$')
  return {
    name,
    in: 'query',
    required: false,
    description: `${typeof schema.description === 'string' ? schema.description : ''}${
      isText ? ' In quotes ("…") or as 0x and hex.' : ''
    }`.trim(),
    schema: schema.type === 'array' || '$ref' in schema ? { type: 'string' } : { type: schema.type ?? 'string' },
  }
}

function operation(route: Route): Node {
  return {
    operationId: route.name,
    summary: route.summary,
    tags: [route.category],
    description: `${route.summary} Over JSON-RPC: method \`${route.name}\`.`,
    parameters: [...route.paramNames.map((name) => uriParameter(route, name)), profileRef],
    responses: {
      200: {
        description: 'The result.',
        ...(route.cache === undefined ? {} : { headers: HEIGHT_HEADERS }),
        content: {
          'application/json': { schema: envelope(route.result.schema) },
          [PROFILED]: { schema: envelope(profileSchema(route.name, route.result.schema)) },
        },
      },
      406: UNKNOWN_PROFILE,
      500: FAILURE,
    },
  }
}

function requestSchema(route: Route): Node {
  const properties = Object.fromEntries(route.paramNames.map((name) => [name, route.params[name]?.schema ?? {}]))
  return {
    type: 'object',
    title: route.name,
    required: ['jsonrpc', 'id', 'method'],
    properties: {
      ...ENVELOPE,
      method: { type: 'string', const: route.name },
      params: { type: 'object', properties, description: 'Or an array of all of them, in this order.' },
    },
  }
}

function jsonRpcPath(routes: readonly Route[]): Node {
  const answer: Node = {
    description: 'The answer, or an array of answers to a batch. Errors have status 200 too.',
    content: { 'application/json': { schema: { type: ['object', 'array'] } } },
  }
  return {
    get: {
      operationId: 'list',
      summary: 'A page with all operations.',
      tags: ['Info'],
      responses: {
        200: { description: 'HTML.', content: { 'text/html': { schema: { type: 'string' } } } },
        400: { description: 'The request cannot be read.' },
      },
    },
    post: {
      operationId: 'call',
      summary: 'JSON-RPC 2.0: one call, or a batch in an array.',
      tags: ['Info'],
      parameters: [profileRef],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { oneOf: routes.map(requestSchema) } } },
      },
      responses: { 200: answer, 406: UNKNOWN_PROFILE, 500: FAILURE },
    },
  }
}

/** The OpenAPI 3.1 document of the RPC, made from the route table. */
export function createOpenApiDocument(options: OpenApiOptions = {}): Node {
  const all = (Object.values(ROUTES) as readonly Route[]).filter(
    (route) => route.unsafe !== true || options.unsafe === true,
  )
  const callable = all.filter((route) => route.websocketOnly !== true)
  const overWebSocket = all.filter((route) => route.websocketOnly === true).map(({ name }) => `\`${name}\``)
  return {
    openapi: '3.1.0',
    info: {
      title: options.title ?? 'CometBFT v0.38 RPC',
      version: 'v0.38.x',
      description: `Over WebSocket at \`/websocket\` also ${overWebSocket.join(', ')}.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: (options.servers ?? ['http://127.0.0.1:26657']).map((url) => ({ url })),
    security: [],
    tags: [...new Set(callable.map(({ category }) => category))].map((name) => ({
      name,
      description: `${name} operations.`,
    })),
    paths: {
      '/': jsonRpcPath(callable),
      ...Object.fromEntries(callable.map((route) => [`/${route.name}`, { get: operation(route) }])),
    },
    components: {
      parameters: { profile: PROFILE_PARAMETER },
      schemas: { ...COMPONENT_SCHEMAS, ...PROFILE_COMPONENTS },
    },
  }
}
