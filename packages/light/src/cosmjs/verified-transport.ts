import {
  createRpcClient,
  knownMembers,
  RPC_CLIENT_ERRORS,
  type RpcAnswer,
  type RpcClient,
  RpcClientError,
  type RpcTransport,
} from '@org/rpc/client'
import type { Clock } from '@org/runtime'
import { Commit, Header, Validator } from '@org/types'
import { base64ToBytes, hexToBytes } from '@org/types/bytes'
import type { Json } from '@org/types/schema'
import type { LightClient } from '../client/light-client.ts'
import { unprovable, wrongAnswer } from '../verified/answer.ts'
import { createVerifiedMethods, type VerifiedClient, type VerifiedMethodsOptions } from '../verified/verified-client.ts'

/** A JSON-RPC request of CosmJS. */
export interface CosmJsRequest {
  readonly id: number | string
  readonly method: string
  readonly params: object
}

/** An answer in the form that CosmJS requires. */
export interface CosmJsResponse {
  readonly jsonrpc: '2.0'
  readonly id: number | string
  // CosmJS declares this member as `any`. This type uses `never`, because `never` can be assigned to every type, too.
  readonly result: never
}

/** The interface `RpcClient` of `@cosmjs/tendermint-rpc`. */
export interface CosmJsRpcClient {
  readonly execute: (request: CosmJsRequest) => Promise<CosmJsResponse>
  readonly disconnect: () => void
}

/** The options of {@link createVerifiedTransport}. */
export interface VerifiedTransportOptions extends VerifiedMethodsOptions {
  /**
   * True if the node's answers to queries without `prove` are returned without verification. If false, a proof is
   * requested for every query, and an answer without a proof is refused. Default: false. Most queries of a
   * `StargateClient` are calls of the application's services, which have no proofs.
   */
  readonly allowUnproved?: boolean
}

/** The transport, the light client and the clock that a verified transport for CosmJS uses. */
export interface VerifiedTransportModules {
  /** The transport to the node that answers, such as `createHttpTransport(url)`. */
  readonly transport: RpcTransport
  readonly light: LightClient
  readonly clock?: Clock
}

type Params = Readonly<Record<string, Json | undefined>>

/**
 * Returns the integer in a parameter of a call, such as `height` or `page`. If the integer is written as a text, it
 * becomes a bigint, which keeps all digits. So the node receives exactly the same number, even above 2^53.
 */
function integerOf(value: Json | undefined): bigint | number | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? BigInt(value) : Number(value)
}
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** Returns a copy of the object without the members whose value is `undefined`. */
function withoutUndefined<T extends object>(values: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

const heightArgs = ({ height }: Params) => withoutUndefined({ height: integerOf(height) })
const hashArgs = ({ hash }: Params) => withoutUndefined({ hash: base64ToBytes(textOf(hash)) })
const pageArgs = ({ page, per_page: perPage }: Params) =>
  withoutUndefined({ page: integerOf(page), perPage: integerOf(perPage) })
const searchArgs = (params: Params) => ({
  query: textOf(params.query),
  ...withoutUndefined({ orderBy: typeof params.order_by === 'string' ? params.order_by : undefined }),
  ...pageArgs(params),
})
const queryArgs = ({ path, data, height }: Params) => ({
  path: textOf(path),
  ...withoutUndefined({ data: hexToBytes(textOf(data)), height: integerOf(height) }),
})

/**
 * Makes a call of a verified method. For some methods, the light client itself has the result. The call then resolves
 * to this result, and the transport returns it. For all other methods, the call verifies the node's result and resolves
 * to `undefined`. The transport then returns the node's result.
 */
type VerifiedCall = (client: VerifiedClient, params: Params) => Promise<Json | undefined>

const returningNodeResult =
  (call: (client: VerifiedClient, params: Params) => Promise<unknown>): VerifiedCall =>
  async (client, params) => {
    await call(client, params)
    return undefined
  }

/**
 * The verified methods by name. The results of `header`, `commit` and `validators` come from the light client; the
 * results of all other methods come from the node.
 */
const CALLS: Readonly<Record<string, VerifiedCall>> = {
  block: returningNodeResult((client, params) => client.block(heightArgs(params))),
  block_by_hash: returningNodeResult((client, params) => client.blockByHash(hashArgs(params))),
  block_search: returningNodeResult((client, params) => client.blockSearch(searchArgs(params))),
  header_by_hash: returningNodeResult((client, { hash }) => client.headerByHash({ hash: textOf(hash) })),
  tx: returningNodeResult((client, params) => client.tx(hashArgs(params))),
  tx_search: returningNodeResult((client, params) => client.txSearch(searchArgs(params))),
  block_results: returningNodeResult((client, params) => client.blockResults(heightArgs(params))),
  consensus_params: returningNodeResult((client, params) => client.consensusParams(heightArgs(params))),
  abci_query: returningNodeResult((client, params) => client.abciQuery(queryArgs(params))),
  header: async (client, params) => {
    const { header } = await client.header(heightArgs(params))
    return { header: header === undefined ? null : Header.toJson(header) }
  },
  commit: async (client, params) => {
    const { header, commit } = (await client.commit(heightArgs(params)))?.signedHeader ?? {}
    if (header === undefined || commit === undefined) throw unprovable('commit', 'the chain has no block yet')
    return { signed_header: { header: Header.toJson(header), commit: Commit.toJson(commit) }, canonical: true }
  },
  validators: async (client, params) => {
    const { blockHeight, validators, count, total } = await client.validators({
      ...heightArgs(params),
      ...pageArgs(params),
    })
    return {
      block_height: String(blockHeight),
      validators: validators.map((validator) => Validator.toJson(validator)),
      count: String(count),
      total: String(total),
    }
  },
}

/**
 * Makes an RPC client over `transport`, and keeps the last result that the node sent for `method`. `last` returns this
 * result, with only the members that the client reads.
 */
function listening(transport: RpcTransport, method: string): { readonly client: RpcClient; readonly last: () => Json } {
  let last: Json | undefined
  const client = createRpcClient({
    ...transport,
    send: async (calls, signal) => {
      const answers = await transport.send(calls, signal)
      const at = calls.findIndex((call) => call.method === method)
      const answer = answers[at]
      if (answer !== undefined && 'result' in answer) last = answer.result as Json
      return answers
    },
  })
  return {
    client,
    last: () => {
      if (last === undefined) throw wrongAnswer(method, 'the node sent no result')
      // Unknown members of the answer are removed, because they are not verified, and CosmJS could read them.
      return knownMembers(method, last) as Json
    },
  }
}

/** Returns the JSON of an error of the node. `JSON.stringify` fails if the error has too many nested levels. */
function textOfError(error: unknown): string {
  try {
    return JSON.stringify(error ?? null)
  } catch {
    return '"an error with too many nested levels"'
  }
}

function resultOf(method: string, answer: RpcAnswer | undefined): Json {
  if (answer !== undefined && 'result' in answer) return answer.result as Json
  // The text of the error has the same form as in CosmJS' own clients, because callers search it for the node's words.
  throw new RpcClientError(RPC_CLIENT_ERRORS.refused, textOfError(answer?.error), { data: { method } })
}

/**
 * Makes an `RpcClient` of CosmJS, so that `Comet38Client` and `StargateClient` receive verified answers. If an answer
 * is wrong, the call rejects as in `createVerifiedClient`. Calls of other methods, such as `status` and
 * `broadcast_tx_sync`, are sent to the node, and their answers are not verified.
 */
export function createVerifiedTransport(
  { allowUnproved = false, ...options }: VerifiedTransportOptions,
  { transport, light, clock }: VerifiedTransportModules,
): CosmJsRpcClient {
  async function forward(method: string, params: Params): Promise<Json> {
    const [answer] = await transport.send([{ method, params: params as Readonly<Record<string, Json>> }])
    return resultOf(method, answer)
  }
  async function callVerified(method: string, params: Params): Promise<Json> {
    const call = Object.hasOwn(CALLS, method) ? CALLS[method] : undefined
    if (call === undefined) return forward(method, params)
    if (method === 'abci_query' && allowUnproved && params.prove !== true) return forward(method, params)
    const { client, last } = listening(transport, method)
    const verified = createVerifiedMethods(options, { client, light, ...(clock && { clock }) })
    return (await call(verified, params)) ?? last()
  }
  return {
    execute: async ({ id, method, params }) => ({
      jsonrpc: '2.0',
      id,
      result: (await callVerified(method, params as Params)) as never,
    }),
    disconnect: transport.close,
  }
}
