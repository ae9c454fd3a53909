import type { JsonSchema } from '../call/params.ts'
import type { Route } from '../call/route.ts'
import { routesOf } from '../operations/table.ts'
import { COMPONENT_SCHEMAS } from './components.ts'
import type { OpenApiOptions } from './document.ts'
import { PARAMETER_TEXTS } from './parameter-texts.ts'
import { PROFILE_COMPONENTS, profileSchema } from './profile-components.ts'
import { recordedOf, resultExamples } from './recorded.ts'

type Node = { readonly [key: string]: unknown }

/**
 * Returns the parameters of an operation with their schemas: first those of the reference, then those that only this
 * node has.
 */
function paramsOf(route: Route): readonly (readonly [string, JsonSchema])[] {
  const extras = Object.entries(route.extras ?? {}).map(([name, { schema }]) => [name, schema] as const)
  return [...route.paramNames.map((name) => [name, route.params[name]?.schema ?? {}] as const), ...extras]
}

function methodOf(route: Route, isProfiled: boolean): Node {
  const { json, error } = recordedOf(route)
  const examples = resultExamples(route)
  const { result } = (isProfiled ? examples?.profiled : examples?.plain) ?? {}
  const schema = route.result.schema
  const resultName = `${route.name}_result`
  const pairing = {
    name: 'recorded',
    params: Object.entries(json).map(([name, value]) => ({ name, value })),
    result: { name: resultName, value: result },
  }
  return {
    name: route.name,
    summary: route.summary,
    tags: [{ name: route.category }],
    ...(route.websocketOnly === true ? { description: 'Over WebSocket only.' } : {}),
    paramStructure: 'either',
    params: paramsOf(route).map(([name, schema]) => ({
      name,
      required: route.required?.includes(name) === true,
      description: PARAMETER_TEXTS[name] ?? '',
      schema,
    })),
    result: {
      name: resultName,
      description: route.summary,
      schema: isProfiled ? profileSchema(route.name, schema) : schema,
    },
    ...(error === undefined ? {} : { errors: [error] }),
    ...(result === undefined ? {} : { examples: [pairing] }),
  }
}

/**
 * Creates the OpenRPC document of the RPC from the route table. The document describes JSON-RPC over POST and
 * WebSocket, in the profile that the options name. A node omits `servers` from its own document, because this member
 * needs whole addresses, and a node does not know the address by which clients reach it.
 */
export function createOpenRpcDocument(options: OpenApiOptions = {}): Node {
  const routes = routesOf({ devnet: options.devnet === true }).filter(
    (route) => route.unsafe !== true || options.unsafe === true,
  )
  const servers = options.servers ?? ['http://127.0.0.1:26657']
  const isProfiled = options.profile === 'openapi'
  return {
    openrpc: '1.3.2',
    info: { title: options.title ?? 'CometBFT v0.38 RPC', version: 'v0.38.x', license: { name: 'Apache-2.0' } },
    ...(servers.length === 0 ? {} : { servers: servers.map((url) => ({ name: 'node', url })) }),
    methods: routes.map((route) => methodOf(route, isProfiled)),
    components: { schemas: isProfiled ? { ...COMPONENT_SCHEMAS, ...PROFILE_COMPONENTS } : COMPONENT_SCHEMAS },
  }
}
