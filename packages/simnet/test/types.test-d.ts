import type { Application } from '@org/abci'
import type { RpcClient } from '@org/rpc/client'
import {
  type Advance,
  type CHAIN_ERRORS,
  type Chain,
  ChainError,
  type ChainErrorCode,
  type ChainOptions,
  createChain,
  type Snapshot,
  type TxOutcome,
} from '@org/simnet'
import type { Block } from '@org/types'
import type { ResponseFinalizeBlock, ResponseQuery, TxResult } from '@org/types/abci'
import { expectTypeOf, test } from 'vitest'

test('a chain is created from an application, or from a function that makes one', () => {
  expectTypeOf(createChain).toEqualTypeOf<(options: ChainOptions) => Promise<Chain>>()
  expectTypeOf<ChainOptions['app']>().toEqualTypeOf<Application | (() => Application)>()
  expectTypeOf<{ app: Application }>().toExtend<ChainOptions>()
  expectTypeOf<{ app: () => Application; validators: number; powers: number[] }>().toExtend<ChainOptions>()
  expectTypeOf<{ validators: number }>().not.toExtend<ChainOptions>()
  expectTypeOf<{ app: Application; genesis: { appState: { balances: number[] } } }>().toExtend<ChainOptions>()
})

test('a chain has the calls that tests of an application use', () => {
  expectTypeOf<Chain['height']>().toEqualTypeOf<() => number>()
  expectTypeOf<Chain['time']>().toEqualTypeOf<() => bigint>()
  expectTypeOf<Chain['advance']>().toEqualTypeOf<(by?: Advance) => Promise<void>>()
  expectTypeOf<Advance>().toEqualTypeOf<{ readonly blocks?: number; readonly time?: number }>()
  expectTypeOf<Chain['broadcast']>().toEqualTypeOf<(tx: string | Uint8Array) => Promise<TxOutcome>>()
  expectTypeOf<Chain['query']>().toEqualTypeOf<
    (path: string, data?: string | Uint8Array, height?: number) => Promise<ResponseQuery>
  >()
  expectTypeOf<Chain['block']>().toEqualTypeOf<(height?: number) => Block | undefined>()
  expectTypeOf<Chain['results']>().toEqualTypeOf<(height?: number) => ResponseFinalizeBlock>()
  expectTypeOf<Chain['search']>().toEqualTypeOf<(query: string) => Promise<readonly TxResult[]>>()
  expectTypeOf<Chain['client']>().toEqualTypeOf<RpcClient>()
  expectTypeOf<Chain['stop']>().toEqualTypeOf<() => Promise<void>>()
})

test('an outcome has the place of the transaction and the result of the application', () => {
  expectTypeOf<TxOutcome>().toExtend<{ hash: Uint8Array; height: number; index: number; code: number; log: string }>()
})

test('a chain goes back only to a snapshot that it made', () => {
  expectTypeOf<Chain['snapshot']>().toEqualTypeOf<() => Promise<Snapshot>>()
  expectTypeOf<Chain['revert']>().toEqualTypeOf<(snapshot: Snapshot) => Promise<void>>()
  expectTypeOf<{ height: number }>().not.toExtend<Snapshot>()
})

test('a listener receives events until its signal aborts', () => {
  expectTypeOf<Chain['subscribe']>().returns.toEqualTypeOf<void>()
  expectTypeOf<Chain['subscribe']>().parameter(2).toEqualTypeOf<AbortSignal | undefined>()
  expectTypeOf<Chain['subscribe']>().parameter(0).toEqualTypeOf<string>()
})

test('the code of an error is one of the listed codes', () => {
  expectTypeOf<ChainError['code']>().toEqualTypeOf<ChainErrorCode>()
  expectTypeOf<(typeof CHAIN_ERRORS)[keyof typeof CHAIN_ERRORS]>().toEqualTypeOf<ChainErrorCode>()
  expectTypeOf(ChainError).instance.toExtend<Error>()
})
