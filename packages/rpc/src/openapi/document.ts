import { ref } from '../call/json-schema.ts'
import type { JsonSchema } from '../call/params.ts'
import type { Route } from '../call/route.ts'
import { routesOf } from '../operations/table.ts'
import { COMPONENT_SCHEMAS } from './components.ts'
import { EVENT_COMPONENTS } from './event-components.ts'
import { eventsPath } from './events-path.ts'
import { bothMediaTypes } from './media-types.ts'
import { PARAMETER_TEXTS } from './parameter-texts.ts'
import { PROFILE_COMPONENTS, profileSchema } from './profile-components.ts'
import { errorExamples, recordedOf, resultExamples } from './recorded.ts'

/**
 * The options of the OpenAPI document: its title, the addresses of nodes, and the groups of operations that it
 * describes.
 */
export interface OpenApiOptions {
  readonly title?: string
  /** The addresses where a node answers. */
  readonly servers?: readonly string[]
  /** Whether the operations for operators are described too. */
  readonly unsafe?: boolean
  /** Whether the operations that control a devnet are described too. */
  readonly devnet?: boolean
  /** The profile in which the node answers a request that names no profile. Default `v0.38`. */
  readonly profile?: string
}

type Node = { readonly [key: string]: unknown }

const ENVELOPE = { jsonrpc: { type: 'string', const: '2.0' }, id: { type: ['integer', 'string'] } }

function envelope(result: JsonSchema): Node {
  return { type: 'object', required: ['jsonrpc', 'id', 'result'], properties: { ...ENVELOPE, result } }
}

/** One answer to a call over POST, or the answers to a batch. */
function answerOf(failure: string): JsonSchema {
  const success = envelope({ description: 'The result of the operation. Its schema is at the path of the operation.' })
  const one = { oneOf: [success, ref(failure)] }
  return { anyOf: [one, { type: 'array', items: one }] }
}

function failureOf(route: Route, standard: string): Node {
  const { plain, profiled } = errorExamples(route)
  return {
    description: 'The call failed; `error` gives the reason.',
    content: bothMediaTypes(
      standard,
      { schema: ref('Failure'), example: plain },
      { schema: ref('FailureText'), example: profiled },
    ),
  }
}

const FAILURES: Readonly<Record<string, JsonSchema>> = {
  Failure: {
    type: 'object',
    required: ['jsonrpc', 'error'],
    properties: { ...ENVELOPE, error: ref('RpcError') },
  },
  FailureText: {
    type: 'object',
    required: ['jsonrpc', 'id', 'error'],
    properties: { ...ENVELOPE, error: { type: 'string', description: 'The error message and its data as one text.' } },
  },
}

const failure = (error: Node, id: { readonly id?: number } = { id: -1 }): Node => ({
  schema: ref('Failure'),
  example: { jsonrpc: '2.0', ...id, error },
})

const refusal = (description: string, error: Node, id?: { readonly id?: number }): Node => ({
  description,
  content: { 'application/json': failure(error, id) },
})

const UNKNOWN_PROFILE = refusal('The profile does not exist; `error` lists the profiles.', {
  code: -32600,
  message: 'Invalid Request',
  data: 'unknown profile: the profiles are v0.38, openapi',
})

const TOO_FAST = refusal(
  'The address of the client made too many calls. Only a node with `rate_limit` sends this answer.',
  {
    code: -32000,
    message: 'Server error',
    data: 'rate limit exceeded',
  },
)

const NO_ID = {}

const TOO_LARGE = refusal(
  'The body is larger than the node accepts.',
  {
    code: -32600,
    message: 'Invalid Request',
    data: 'error reading request body: http: request body too large',
  },
  NO_ID,
)

const NO_JSON = { code: -32700, message: 'Parse error. Invalid JSON' }
const WHY_NO_JSON = 'error unmarshaling request: unexpected end of JSON input'

const failureText = (error: string): Node => ({
  schema: ref('FailureText'),
  example: { jsonrpc: '2.0', id: '', error },
})

const brokenBody = (standard: string): Node => ({
  description: 'The body is neither a call nor a batch of calls.',
  content: bothMediaTypes(
    standard,
    failure({ ...NO_JSON, data: WHY_NO_JSON }, NO_ID),
    failureText(`${NO_JSON.message}: ${WHY_NO_JSON}`),
  ),
})

const WHY_NO_URI =
  'RPC_UNSAFE_CALL: an unsafe operation; call it as JSON-RPC in a POST to / with the header Content-Type: application/json'

const unsafeByPath = (standard: string): Node => ({
  description: 'Only a strict node accepts a call of an unsafe operation by its path.',
  content: bothMediaTypes(
    standard,
    failure({ code: -32600, message: 'Invalid Request', data: WHY_NO_URI }),
    failureText(`Invalid Request: ${WHY_NO_URI}`),
  ),
})

const profileParameter = (standard: string): Node => ({
  name: 'profile',
  in: 'query',
  required: false,
  description: `The form of the answer: \`v0.38\` as the Go node writes it, or \`openapi\`. This document describes both forms. This node's default is \`${standard}\`.`,
  schema: { type: 'string', enum: ['v0.38', 'openapi'], default: standard },
  example: standard,
})

const profileRef: Node = { $ref: '#/components/parameters/profile' }

const HEIGHT_HEADERS: Node = {
  'Cache-Control': { description: 'Present if the answer can never change.', schema: { type: 'string' } },
}

/**
 * The default values of integer parameters, by the name of the parameter. An integer parameter that is not in this list
 * has the default 0.
 */
const DEFAULTS: Readonly<Record<string, number>> = { page: 1, per_page: 30, limit: 30 }

const isInteger = ({ type }: JsonSchema): boolean => Array.isArray(type) && type.includes('integer')

function exampleOf(type: unknown, recorded: unknown): unknown {
  if (type === 'boolean') return recorded === 'true'
  return type === 'integer' ? Number(String(recorded).replaceAll('"', '')) : recorded
}

/** A parameter in a URI. Texts and bytes are in quotes or in hex with `0x`. Integers and booleans may be in quotes. */
function uriParameter(route: Route, name: string): Node {
  const schema = route.params[name]?.schema ?? {}
  const isText = schema.type === 'string'
  const isList = schema.type === 'array' || '$ref' in schema
  const type = isInteger(schema) ? 'integer' : isList ? 'string' : (schema.type ?? 'string')
  const example = recordedOf(route).uri[name]
  const standard = type === 'integer' ? { format: 'int64', default: DEFAULTS[name] ?? 0 } : {}
  return {
    name,
    in: 'query',
    required: route.required?.includes(name) === true,
    description:
      `${PARAMETER_TEXTS[name] ?? ''}${isText ? ' Give the value in quotes ("…"), or as 0x and hex digits.' : ''}`.trim(),
    schema: { type, ...standard, ...(type === 'boolean' ? { default: false } : {}) },
    ...(example === undefined ? {} : { example: exampleOf(type, example) }),
  }
}

function operation(route: Route, standard: string): Node {
  const examples = resultExamples(route)
  const plain = examples === undefined ? {} : { example: examples.plain }
  const profiled = examples === undefined ? {} : { example: examples.profiled }
  return {
    operationId: route.name,
    summary: route.summary,
    tags: [route.category],
    description: `${route.summary} Over JSON-RPC: method \`${route.name}\`.${route.unsafe === true ? ' The operation can be called only in this way, in a POST with `Content-Type: application/json`.' : ''}`,
    parameters: [...route.paramNames.map((name) => uriParameter(route, name)), profileRef],
    responses: {
      200: {
        description: 'The result.',
        ...(route.cache === undefined ? {} : { headers: HEIGHT_HEADERS }),
        content: bothMediaTypes(
          standard,
          { schema: envelope(route.result.schema), ...plain },
          { schema: envelope(profileSchema(route.name, route.result.schema)), ...profiled },
        ),
      },
      ...(route.unsafe === true ? { 403: unsafeByPath(standard) } : {}),
      406: UNKNOWN_PROFILE,
      429: TOO_FAST,
      500: failureOf(route, standard),
    },
  }
}

function requestSchema(route: Route): Node {
  const properties = Object.fromEntries(route.paramNames.map((name) => [name, route.params[name]?.schema ?? {}]))
  return {
    type: 'object',
    title: route.name,
    required: ['jsonrpc', 'id', 'method', ...(route.required === undefined ? [] : ['params'])],
    properties: {
      ...ENVELOPE,
      method: { type: 'string', const: route.name },
      params: {
        type: 'object',
        properties,
        ...(route.required === undefined ? {} : { required: route.required }),
        description:
          'Instead of an object, an array of the arguments in this order is accepted. Optional arguments at the end of the array may be left out.',
      },
    },
  }
}

function jsonRpcPath(routes: readonly Route[], standard: string): Node {
  const shown = routes.find(({ name }) => name === 'abci_info') as Route
  const { result } = recordedOf(shown)
  const request = { jsonrpc: '2.0', id: 1, method: shown.name, params: {} }
  const example = { jsonrpc: '2.0', id: 1, result }
  const answer: Node = {
    description:
      'The answer, or an array of answers to a batch. Errors have status 200 too. If there is only one answer, it is not in an array. If all calls are notifications, the body is empty.',
    content: bothMediaTypes(
      standard,
      { schema: answerOf('Failure'), example },
      { schema: answerOf('FailureText'), example },
    ),
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
        content: { 'application/json': { schema: { oneOf: routes.map(requestSchema) }, example: request } },
      },
      responses: { 200: answer, 400: TOO_LARGE, 406: UNKNOWN_PROFILE, 429: TOO_FAST, 500: brokenBody(standard) },
    },
  }
}

/** The OpenAPI 3.1 document of the RPC, made from the route table. */
export function createOpenApiDocument(options: OpenApiOptions = {}): Node {
  const all = routesOf({ devnet: options.devnet === true }).filter(
    (route) => route.unsafe !== true || options.unsafe === true,
  )
  const standard = options.profile ?? 'v0.38'
  const callable = all.filter((route) => route.websocketOnly !== true)
  const overWebSocket = all.filter((route) => route.websocketOnly === true).map(({ name }) => `\`${name}\``)
  return {
    openapi: '3.1.0',
    info: {
      title: options.title ?? 'CometBFT v0.38 RPC',
      version: 'v0.38.x',
      description: `These operations are available only over WebSocket, at \`/websocket\`: ${overWebSocket.join(', ')}.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: (options.servers ?? ['http://127.0.0.1:26657']).map((url) => ({ url })),
    security: [],
    tags: [...new Set(callable.map(({ category }) => category))].map((name) => ({
      name,
      description: `${name} operations.`,
    })),
    paths: {
      '/': jsonRpcPath(callable, standard),
      ...Object.fromEntries(callable.map((route) => [`/${route.name}`, { get: operation(route, standard) }])),
      '/events': eventsPath(standard),
    },
    components: {
      parameters: { profile: profileParameter(standard) },
      schemas: { ...COMPONENT_SCHEMAS, ...PROFILE_COMPONENTS, ...EVENT_COMPONENTS, ...FAILURES },
    },
  }
}
