import type { TxResult } from '@org/types/abci'

export type SortOrder = 'asc' | 'desc'

export interface SearchOptions {
  readonly query: string
  readonly order: SortOrder
  readonly signal?: AbortSignal
}

/** What a search found, in the order asked for. Nothing is decoded before its page is asked for. */
export interface Hits<T> {
  readonly total: number
  readonly page: (skip: number, count: number) => Promise<readonly T[]>
}

/** Indexes of transactions and blocks. Errors are CodedErrors with the message to show; queries that do not parse: `offset N: …`. */
export interface Search {
  /** False if the index is off (`tx_index.indexer = "null"`). */
  readonly enabled: boolean
  /** Another number whenever a search of transactions may find something else; without it no answers are kept. */
  readonly generation?: () => number
  /** `undefined` if there is none; an empty hash is an error. */
  readonly tx: (hash: Uint8Array) => Promise<TxResult | undefined>
  readonly txs: (options: SearchOptions) => Promise<Hits<TxResult>>
  /** Heights of blocks. */
  readonly blocks: (options: SearchOptions) => Promise<Hits<number>>
}
