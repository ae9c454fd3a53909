import {
  type AbciServer,
  type AnswerOf,
  type Application,
  type BytesLike,
  type CheckTxAnswer,
  createAbciServer,
  type FinalizeBlockAnswer,
  type InfoAnswer,
  type IntegerLike,
  type QueryAnswer,
  type ServerOptions,
} from '@org/abci'
import type { Logger } from '@org/runtime'
import { ProposalStatus, type RequestCheckTx, type RequestFinalizeBlock, type RequestQuery } from '@org/types/abci'
import { expectTypeOf, test } from 'vitest'

type Method<M extends keyof Application> = NonNullable<Application[M]>

test('an application has the methods of ABCI 2.0, and each may be left out', () => {
  expectTypeOf<keyof Application>().toEqualTypeOf<
    | 'info'
    | 'query'
    | 'checkTx'
    | 'initChain'
    | 'prepareProposal'
    | 'processProposal'
    | 'extendVote'
    | 'verifyVoteExtension'
    | 'finalizeBlock'
    | 'commit'
    | 'listSnapshots'
    | 'offerSnapshot'
    | 'loadSnapshotChunk'
    | 'applySnapshotChunk'
  >()
  expectTypeOf({}).toExtend<Application>()
})

test('a method takes its request, and returns its answer or a promise of it', () => {
  expectTypeOf<Method<'checkTx'>>().toEqualTypeOf<(request: RequestCheckTx) => CheckTxAnswer | Promise<CheckTxAnswer>>()
  expectTypeOf<Method<'query'>>().toEqualTypeOf<(request: RequestQuery) => QueryAnswer | Promise<QueryAnswer>>()
  expectTypeOf<Method<'finalizeBlock'>>().parameters.toEqualTypeOf<[request: RequestFinalizeBlock]>()
  expectTypeOf<AnswerOf<'finalizeBlock'>>().toEqualTypeOf<FinalizeBlockAnswer>()
  expectTypeOf<AnswerOf<'info'>>().toEqualTypeOf<InfoAnswer>()
})

test('requests have their members, and answers take texts for bytes and numbers for integers', () => {
  expectTypeOf<RequestCheckTx['tx']>().toEqualTypeOf<Uint8Array>()
  expectTypeOf<RequestFinalizeBlock['txs']>().toEqualTypeOf<readonly Uint8Array[]>()
  expectTypeOf<RequestFinalizeBlock['height']>().toEqualTypeOf<number>()
  expectTypeOf<RequestFinalizeBlock['time']>().toEqualTypeOf<bigint>()
  expectTypeOf<BytesLike>().toEqualTypeOf<Uint8Array | string>()
  expectTypeOf<IntegerLike>().toEqualTypeOf<bigint | number>()
  expectTypeOf<FinalizeBlockAnswer['appHash']>().toEqualTypeOf<BytesLike | undefined>()
  expectTypeOf<InfoAnswer['lastBlockHeight']>().toEqualTypeOf<IntegerLike | undefined>()
})

test('an application with texts and numbers in its answers is accepted', () => {
  const values = new Map<string, string>()
  const app: Application = {
    info: () => ({ lastBlockHeight: 0 }),
    checkTx: ({ tx }) => ({ code: tx.length === 0 ? 1 : 0, log: 'empty' }),
    processProposal: () => ({ status: ProposalStatus.accept }),
    finalizeBlock: async ({ txs }) => ({ txResults: txs.map(() => ({ code: 0, data: 'done', gasUsed: 1n })) }),
    initChain: () => {},
    commit: async () => {},
    query: ({ path }) => ({ value: values.get(path) }),
  }
  expectTypeOf(app).toEqualTypeOf<Application>()
})

test('wrong answers and unknown members of answers are refused', () => {
  // @ts-expect-error: a code is a number
  expectTypeOf<Application>({ checkTx: () => ({ code: 'invalid' }) })
  // @ts-expect-error: there is one list of results
  expectTypeOf<Application>({ finalizeBlock: () => ({ txResults: { code: 0 } }) })
  // @ts-expect-error: a status is a member of ProposalStatus
  expectTypeOf<Application>({ processProposal: () => ({ status: 'ACCEPT' }) })
  // @ts-expect-error: only initChain and commit may return nothing
  expectTypeOf<Application>({ checkTx: () => undefined })
})

test('a server is created from its options and an application', () => {
  expectTypeOf(createAbciServer).returns.toEqualTypeOf<AbciServer>()
  expectTypeOf(createAbciServer).parameter(0).toEqualTypeOf<ServerOptions>()
  expectTypeOf(createAbciServer).parameter(1).toEqualTypeOf<{ readonly app: Application; readonly logger?: Logger }>()
  expectTypeOf<ServerOptions['kind']>().toEqualTypeOf<'socket' | 'grpc' | undefined>()
  expectTypeOf<AbciServer>().toEqualTypeOf<{
    readonly start: () => Promise<void>
    readonly stop: () => Promise<void>
    readonly address: () => string
  }>()
})
