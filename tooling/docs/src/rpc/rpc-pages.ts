import { createOpenApiDocument, createOpenRpcDocument } from '@org/rpc/openapi'
import { type Method, operationText, type UriParameter } from './operation-text.ts'
import { cell, membersTable, type Schema } from './schema-text.ts'

interface OpenRpc {
  readonly methods: readonly Method[]
}

interface UriOperation {
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly UriParameter[]
  readonly responses: {
    readonly 200: {
      readonly content?: Readonly<
        Record<
          string,
          {
            readonly schema: Schema
            readonly example?: { readonly result?: unknown }
          }
        >
      >
    }
  }
}

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly get?: UriOperation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const OPTIONS = { unsafe: true, devnet: true }

/** The documents that a node with all operations serves at `/openrpc.json` and `/openapi.json`. */
const openRpc = createOpenRpcDocument(OPTIONS) as unknown as OpenRpc
const openApi = createOpenApiDocument(OPTIONS) as unknown as OpenApi

/**
 * The groups of operations. The key of a group is its tag, and the value is the first text on the page of the group.
 */
export const RPC_GROUPS: Readonly<Record<string, string>> = {
  Info: 'The chain, its blocks, validators and parameters, and the state of the node.',
  Tx: 'Send transactions, and find committed ones.',
  ABCI: 'Send queries to the application.',
  Evidence: 'Report a validator that broke the rules.',
  Events: 'Subscriptions over plain HTTP, as a stream of server-sent events or as calls that wait.',
  WebSocket:
    'Subscriptions, over the WebSocket at `/websocket`. All other operations can be called on the same connection.',
  Unsafe:
    'For the operator of a node. They exist only with `rpc.unsafe = true`, and only JSON-RPC reaches them: no web page can call them.',
  Devnet:
    'Blocks, time and faults of a chain for development. They exist only on a node that `halley devnet --control` started. See [Devnet control](/guide/devnet-control.md).',
}

/** Returns the parameters of an operation's URI, or `undefined` if the operation exists only on a WebSocket. */
export const uriParameters = (name: string): readonly UriParameter[] | undefined => {
  const path = openApi.paths[`/${name}`]?.get
  return path === undefined ? undefined : (path.parameters ?? [])
}

/**
 * Makes a description of the operation `/events` in the form of the other operations. This operation is only in the
 * OpenAPI document, because JSON-RPC cannot call it.
 */
function eventsMethod(): Method {
  const { summary, description, parameters = [], responses } = (openApi.paths['/events'] as { get: UriOperation }).get
  const content = responses[200].content?.['application/json']
  return {
    name: 'events',
    summary,
    tags: [{ name: 'Events' }],
    ...(description === undefined ? {} : { description }),
    params: parameters.flatMap(({ name, required, description, schema }) =>
      name === undefined
        ? []
        : [{ name, required: required === true, description: description ?? '', schema: schema ?? {} }],
    ),
    result: { schema: content?.schema.properties?.result ?? {} },
    examples: [{ params: [], result: { value: content?.example?.result } }],
  }
}

/** All operations in the order in which the node lists them, and `/events` at the end. */
export const methods: readonly Method[] = [...openRpc.methods, eventsMethod()]

const inGroup = (tag: string): readonly Method[] => methods.filter(({ tags }) => tags.some(({ name }) => name === tag))

function groupPage(tag: string, text: string): string {
  const operations = inGroup(tag).map((method) => operationText(method, uriParameters(method.name)))
  return [`# RPC: ${tag}`, '', text, '', ...operations].join('\n')
}

function typesPage(): string {
  const types = Object.entries(openApi.components.schemas).map(
    ([name, schema]) =>
      `## ${name}\n\n${schema.description === undefined ? '' : `${schema.description}\n\n`}${membersTable(schema)}\n`,
  )
  return ['# RPC: types', '', 'The objects that several operations return.', '', ...types].join('\n')
}

function listPage(): string {
  const tables = Object.keys(RPC_GROUPS).flatMap((tag) => [
    `## ${tag}`,
    '',
    RPC_GROUPS[tag] ?? '',
    '',
    '| operation | meaning |',
    '|---|---|',
    ...inGroup(tag).map(
      ({ name, summary }) =>
        `| [\`${name}\`](/reference/rpc/${tag.toLowerCase()}.md#${name.toLowerCase()}) | ${cell(summary)} |`,
    ),
    '',
  ])
  return [
    '# RPC reference',
    '',
    'These pages are generated from the table of operations that the node itself uses. A running node serves the same description:',
    '`/docs` is a page where you can try every operation, `/openapi.json` and `/openrpc.json` are for generators of clients.',
    '',
    '[Clients](/guide/clients.md) explains how to call the operations. [Limits](/limits.md#rpc) lists the bounds of the RPC, and [Deviations](/deviations.md) the answers that differ from those of CometBFT.',
    '',
    ...tables,
  ].join('\n')
}

/** Returns the pages of the RPC reference, by their paths on the site. */
export function rpcPages(): ReadonlyMap<string, string> {
  const groups = Object.entries(RPC_GROUPS).map(([tag, text]): [string, string] => [
    `reference/rpc/${tag.toLowerCase()}.md`,
    groupPage(tag, text),
  ])
  return new Map([['reference/rpc/index.md', listPage()], ['reference/rpc/types.md', typesPage()], ...groups])
}
