import type { MethodName, RequestOf, ResponseOf } from '../messages/index.ts'

/**
 * A state machine that a node drives. Every method may be left out; then it behaves as the reference's base application.
 * An answer may leave out members, which are then zero, and may be a promise. What a method throws reaches the node as an
 * exception and ends the connection: it is for faults, not for transactions that are refused.
 *
 * Calls never overlap, except that `info`, `query`, `listSnapshots` and `loadSnapshotChunk` (one of them at a time) run
 * while another call waits for its promise.
 */
export type Application = {
  readonly [M in MethodName]?: (request: RequestOf<M>) => Partial<ResponseOf<M>> | Promise<Partial<ResponseOf<M>>>
}
