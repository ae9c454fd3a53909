import type { JsonSchema } from '../routes/params.ts'
import type { Route } from '../routes/route.ts'
import { ROUTES } from '../routes/table.ts'
import { COMPONENT_SCHEMAS } from './components.ts'
import type { OpenApiOptions } from './document.ts'

type Node = { readonly [key: string]: unknown }

function methodOf(route: Route): Node {
  return {
    name: route.name,
    summary: route.summary,
    tags: [{ name: route.category }],
    ...(route.websocketOnly === true ? { description: 'Over WebSocket only.' } : {}),
    paramStructure: 'either',
    params: route.paramNames.map((name) => {
      const schema: JsonSchema = route.params[name]?.schema ?? {}
      return { name, required: false, schema }
    }),
    result: { name: `${route.name}_result`, schema: route.result.schema },
  }
}

/** The OpenRPC document of the RPC, made from the route table: JSON-RPC over POST and WebSocket, in the profile v0.38. */
export function createOpenRpcDocument(options: OpenApiOptions = {}): Node {
  const routes = (Object.values(ROUTES) as readonly Route[]).filter(
    (route) => route.unsafe !== true || options.unsafe === true,
  )
  return {
    openrpc: '1.3.2',
    info: { title: options.title ?? 'CometBFT v0.38 RPC', version: 'v0.38.x', license: { name: 'Apache-2.0' } },
    servers: (options.servers ?? ['http://127.0.0.1:26657']).map((url) => ({ name: 'node', url })),
    methods: routes.map(methodOf),
    components: { schemas: COMPONENT_SCHEMAS },
  }
}
