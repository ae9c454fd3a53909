import type { EventItem } from '@org/engine/events'
import type { RpcClient } from '@org/rpc/client'
import type { Block, Validator } from '@org/types'
import type { ExecTxResult, ResponseFinalizeBlock, ResponseQuery, TxResult } from '@org/types/abci'
import type { Advance } from './options.ts'

/** The outcome of a transaction. */
export interface TxOutcome extends ExecTxResult {
  readonly hash: Uint8Array
  /**
   * The height of the block with the transaction; 0 if no block has it, because CheckTx refused it or it still waits.
   */
  readonly height: number
  /** The index of the transaction in the block. */
  readonly index: number
}

declare const snapshotBrand: unique symbol
/** A saved moment of a chain. */
export interface Snapshot {
  readonly height: number
  readonly [snapshotBrand]: true
}

/**
 * A chain for tests of an application: real nodes without ports and disks, on a clock that stands still between two
 * calls. Every call rejects with a {@link ChainError} if the chain cannot continue.
 */
export interface Chain extends AsyncDisposable {
  /** The height of the last block; 0 before the first block. */
  readonly height: () => number
  /** The time of the last block in nanoseconds since 1970; before the first block, the genesis time. */
  readonly time: () => bigint
  /** Makes blocks; one by default. */
  readonly advance: (by?: Advance) => Promise<void>
  /**
   * Gives a transaction to the mempool. With `automine`, the transaction is in a block when the promise resolves,
   * unless CheckTx refused the transaction.
   */
  readonly broadcast: (tx: string | Uint8Array) => Promise<TxOutcome>
  readonly query: (path: string, data?: string | Uint8Array, height?: number) => Promise<ResponseQuery>
  /** The block at `height`, or the last block if no height is given; `undefined` if the block does not exist. */
  readonly block: (height?: number) => Block | undefined
  /** The response to FinalizeBlock at `height`, or at the last height. Throws a `StoreError` if it is not stored. */
  readonly results: (height?: number) => ResponseFinalizeBlock
  readonly tx: (hash: Uint8Array) => Promise<TxResult | undefined>
  /** Committed transactions that match a query such as `app.key='name'`, oldest first, as `tx_search` finds them. */
  readonly search: (query: string) => Promise<readonly TxResult[]>
  /** The heights of blocks that match a query, lowest first, as `block_search` finds them. */
  readonly searchBlocks: (query: string) => Promise<readonly number[]>
  /**
   * Calls `listener` with each event that matches a query such as `tm.event='Tx'`. The calls continue after `revert`,
   * and end when the signal aborts. Throws a `QueryError` for an invalid query.
   */
  readonly subscribe: (query: string, listener: (event: EventItem) => void, signal?: AbortSignal) => void
  /**
   * The typed client of the RPC of the first validator. It calls the RPC in this process, without a TCP port. The
   * client has every operation, batches and subscriptions.
   *
   * A call that does not need a block takes no virtual time. With the option `automine`, a broadcast transaction is in
   * a block when the call resolves. Without `automine`, the operation `broadcastTxCommit` waits until the method
   * `advance` makes a block. The methods `revert` and `stop` end the subscriptions of the client.
   */
  readonly client: RpcClient
  /** The validators that sign the next block. */
  readonly validators: () => readonly Validator[]
  /** Takes a snapshot when the running calls are over. Transactions that wait for a block are not in the snapshot. */
  readonly snapshot: () => Promise<Snapshot>
  /**
   * Goes back to a snapshot when the running calls are over. A snapshot can be used several times. The application is
   * made again and gets all blocks up to the snapshot.
   */
  readonly revert: (snapshot: Snapshot) => Promise<void>
  /**
   * Ends the chain. With `await using chain = await createChain(…)`, the chain ends at the end of the surrounding
   * block of code.
   */
  readonly stop: () => Promise<void>
}
