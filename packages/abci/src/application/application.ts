import type { ExecTxResult, ResponseFinalizeBlock } from '@org/types/abci'
import type { MethodName, RequestOf, ResponseOf } from '../messages/index.ts'

type FinalizeBlockAnswer = Partial<Omit<ResponseFinalizeBlock, 'txResults'>> & {
  readonly txResults?: readonly Partial<ExecTxResult>[]
}

/** What an application may answer: members that are left out are zero. */
export type AnswerOf<M extends MethodName> = M extends 'finalizeBlock' ? FinalizeBlockAnswer : Partial<ResponseOf<M>>

/**
 * A state machine that a node drives. Every method may be left out; then it behaves as the reference's base application.
 * An answer may be a promise. What a method throws reaches the node as an exception and ends the connection: it is for
 * faults, not for transactions that are refused.
 *
 * Calls never overlap, except that `info`, `query`, `listSnapshots` and `loadSnapshotChunk` (one of them at a time) run
 * while another call waits for its promise.
 */
export type Application = {
  readonly [M in MethodName]?: (request: RequestOf<M>) => AnswerOf<M> | Promise<AnswerOf<M>>
}
