import type { Application } from '@org/abci'
import {
  type Account,
  type App,
  type AppOptions,
  type Context,
  createApp,
  createTable,
  type InputOf,
  integers,
  type MessageHandler,
  message,
  type OutputOf,
  type Pair,
  type QueryContext,
  type QueryHandler,
  query,
  type ReadState,
  type refuse,
  type State,
  type Table,
} from '@org/app'
import type { PublicKey } from '@org/types/crypto'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'

const transferred = z.object({ to: z.string(), amount: z.string().transform(BigInt) })

test('an application needs only its messages, and is an application of ABCI', () => {
  const options = { messages: {} } satisfies AppOptions
  expectTypeOf<Record<never, never>>().not.toExtend<AppOptions>()
  expectTypeOf(createApp(options)).toEqualTypeOf<App>()
  expectTypeOf<App>().toExtend<Application>()
  expectTypeOf<App['close']>().toEqualTypeOf<() => Promise<void>>()
})

test('a message gets the value that its schema returns, and the context of a transaction', () => {
  const handler = message(transferred, (context, value) => {
    expectTypeOf(context).toEqualTypeOf<Context>()
    expectTypeOf(value).toEqualTypeOf<{ to: string; amount: bigint }>()
  })
  expectTypeOf(handler).toEqualTypeOf<MessageHandler>()
  expectTypeOf<InputOf<typeof transferred>>().toEqualTypeOf<{ to: string; amount: string }>()
  expectTypeOf<OutputOf<typeof transferred>>().toEqualTypeOf<{ to: string; amount: bigint }>()
})

test('a query gets the argument that its schema returns, and a state that it cannot change', () => {
  const handler = query(z.object({ owner: z.string() }), (context, argument) => {
    expectTypeOf(context).toEqualTypeOf<QueryContext>()
    expectTypeOf(argument).toEqualTypeOf<{ owner: string }>()
    return null
  })
  expectTypeOf(handler).toEqualTypeOf<QueryHandler>()
  expectTypeOf<QueryContext['state']>().toEqualTypeOf<ReadState>()
  expectTypeOf<ReadState>().not.toExtend<State>()
  expectTypeOf<State>().toExtend<ReadState>()
})

test('the context of a transaction has the block, the state and the effects', () => {
  expectTypeOf<Context['state']>().toEqualTypeOf<State>()
  expectTypeOf<Pick<Context, 'chainId' | 'height' | 'time' | 'signer'>>().toEqualTypeOf<{
    readonly chainId: string
    readonly height: number
    readonly time: number
    readonly signer: string
  }>()
  type Attributes = Readonly<Record<string, string | number | bigint>>
  expectTypeOf<Context['emit']>().toEqualTypeOf<(type: string, attributes?: Attributes) => void>()
  expectTypeOf<Context['setValidator']>().parameters.toEqualTypeOf<[pubKey: PublicKey, power: bigint]>()
  expectTypeOf<ReturnType<typeof refuse>>().toEqualTypeOf<never>()
})

test('a table has values of one type; without a codec the caller names it', () => {
  expectTypeOf(createTable('balance', integers)).toEqualTypeOf<Table<bigint>>()
  expectTypeOf(createTable<string>('setting')).toEqualTypeOf<Table<string>>()
  expectTypeOf<Table<bigint>['get']>().toEqualTypeOf<(state: ReadState, key: string) => bigint | undefined>()
  expectTypeOf<Table<bigint>['set']>().toEqualTypeOf<(state: State, key: string, value: bigint) => void>()
  expectTypeOf<ReturnType<ReadState['entries']>>().toEqualTypeOf<Iterable<Pair>>()
})

test('a signed transaction names its chain; nonce and gas may be left out', () => {
  type Content = Parameters<Account['sign']>[0]
  expectTypeOf<{ type: string; value: unknown; chainId: string }>().toExtend<Content>()
  expectTypeOf<{ type: string; value: unknown }>().not.toExtend<Content>()
  expectTypeOf<ReturnType<Account['sign']>>().toEqualTypeOf<Uint8Array>()
})
