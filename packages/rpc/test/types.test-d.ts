import {
  type BlockReader,
  createRpc,
  type Ports,
  type Route,
  type Rpc,
  type RpcListener,
  type RpcModules,
  type RpcOptions,
  type Search,
  type StateReader,
} from '@org/rpc'
import {
  createHttpTransport,
  createRpcClient,
  createWebSocketTransport,
  isRpcFailure,
  type RpcClient,
  type RpcEvent,
  type RpcFailure,
  type RpcTransport,
} from '@org/rpc/client'
import type { Hono } from 'hono'
import { expectTypeOf, test } from 'vitest'

declare const client: RpcClient

test('an RPC needs blocks, state and search; every other port may be left out', () => {
  expectTypeOf(createRpc).toEqualTypeOf<(modules: RpcModules) => Rpc>()
  expectTypeOf<RpcModules['ports']>().toEqualTypeOf<Ports>()
  expectTypeOf<{ blocks: BlockReader; state: StateReader; search: Search }>().toExtend<Ports>()
  expectTypeOf<{ blocks: BlockReader; state: StateReader }>().not.toExtend<Ports>()
  expectTypeOf<RpcModules['options']>().toEqualTypeOf<Partial<RpcOptions> | undefined>()
})

test('an RPC is mounted as a hono app, or listens itself', () => {
  expectTypeOf<Rpc['app']>().toEqualTypeOf<Hono>()
  expectTypeOf<Rpc['listen']>().toEqualTypeOf<() => Promise<RpcListener>>()
  expectTypeOf<Rpc['routes']>().toEqualTypeOf<ReadonlyMap<string, Route>>()
})

test('a client is created over a transport', () => {
  expectTypeOf(createRpcClient).toEqualTypeOf<(transport: RpcTransport) => RpcClient>()
  expectTypeOf(createHttpTransport).parameter(0).toEqualTypeOf<string>()
  expectTypeOf(createHttpTransport).returns.toEqualTypeOf<RpcTransport>()
  expectTypeOf(createWebSocketTransport).returns.toEqualTypeOf<RpcTransport>()
})

test('each operation is a method in camel case, with typed arguments and results', async () => {
  expectTypeOf(client.block).parameter(0).toEqualTypeOf<{ readonly height?: bigint | number | undefined } | undefined>()
  const { block } = await client.block({ height: 5 })
  expectTypeOf(block?.header?.height).toEqualTypeOf<number | undefined>()
  const { syncInfo } = await client.status()
  expectTypeOf(syncInfo.latestBlockHeight).toEqualTypeOf<number>()
  expectTypeOf(syncInfo.latestBlockTime).toEqualTypeOf<bigint>()
  expectTypeOf(syncInfo.latestBlockHash).toEqualTypeOf<Uint8Array>()
  expectTypeOf(syncInfo.catchingUp).toEqualTypeOf<boolean>()
  const sent = await client.broadcastTxSync({ tx: 'name=satoshi' })
  expectTypeOf(sent.code).toEqualTypeOf<number>()
  expectTypeOf(sent.hash).toEqualTypeOf<Uint8Array>()
  const { response } = await client.abciQuery({ path: '/store', data: Uint8Array.of(1), prove: true })
  expectTypeOf(response.value).toEqualTypeOf<Uint8Array>()
  const found = await client.txSearch({ query: "app.key='name'", perPage: 10, orderBy: 'desc' })
  expectTypeOf(found.txs[0]?.height).toEqualTypeOf<number | undefined>()
})

test('unknown operations and arguments are refused', () => {
  // @ts-expect-error: no such operation
  expectTypeOf(client.blocks)
  // @ts-expect-error: arguments are in camel case
  expectTypeOf(client.txSearch({ query: '', per_page: 1 }))
  // @ts-expect-error: a height is a number
  expectTypeOf(client.block({ height: '5' }))
})

test('a batch has the results of its calls in their order', async () => {
  const [status, block] = await client.batch((c) => [c.status(), c.block({ height: 1 })])
  expectTypeOf(status).toEqualTypeOf<Awaited<ReturnType<RpcClient['status']>>>()
  expectTypeOf(block).toEqualTypeOf<Awaited<ReturnType<RpcClient['block']>>>()
})

test('a subscription is a loop over events', () => {
  expectTypeOf(client.subscribe("tm.event='Tx'")).toEqualTypeOf<AsyncIterable<RpcEvent>>()
  expectTypeOf<RpcEvent['events']>().toEqualTypeOf<Readonly<Record<string, readonly string[]>>>()
})

test('the code of a failure says what its data is', () => {
  expectTypeOf(isRpcFailure).guards.toEqualTypeOf<RpcFailure>()
  type Refused = Extract<RpcFailure, { readonly code: 'RPC_CLIENT_REFUSED' }>
  expectTypeOf<Refused['data']['rpcCode']>().toEqualTypeOf<number>()
  type BadArgument = Extract<RpcFailure, { readonly code: 'RPC_CLIENT_ARGUMENT' }>
  expectTypeOf<BadArgument['data']>().toEqualTypeOf<{ readonly method: string; readonly argument: string }>()
})
