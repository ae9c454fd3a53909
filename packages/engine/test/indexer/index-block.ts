import { Block, Header } from '@org/types'
import { type Event, ExecTxResult, ResponseFinalizeBlock } from '@org/types/abci'
import { utf8ToBytes } from '@org/types/bytes'
import type { Indexer } from '../../src/indexer/index.ts'

export interface TestTx {
  readonly tx: string
  readonly events: readonly Event[]
}

export interface TestContent {
  readonly txs?: readonly TestTx[]
  readonly events?: readonly Event[]
}

export const event = (type: string, attributes: Readonly<Record<string, string>>, index = true): Event => ({
  type,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index })),
})

/** Indexes a block that has only these transactions and events. */
export async function indexBlock(
  indexer: Indexer,
  height: number,
  { txs = [], events = [] }: TestContent,
): Promise<void> {
  const block = Block.create({ header: Header.create({ height }), data: { txs: txs.map(({ tx }) => utf8ToBytes(tx)) } })
  const txResults = txs.map((tx) => ExecTxResult.create({ events: tx.events }))
  await indexer.index(block, ResponseFinalizeBlock.create({ events, txResults }))
}
