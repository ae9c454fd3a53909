import type { RpcMethods } from '@org/rpc/client'
import { blocks } from './chain.ts'
import { COMMON_KEYS } from './query-help.ts'

/** Blocks whose events are read, and keys that are kept. */
const MAX_BLOCKS = 5
const MAX_KEYS = 200

/** The keys by which transactions and blocks can be found, learned from the events of the last blocks. */
export async function learnKeys(client: RpcMethods): Promise<readonly string[]> {
  const busy = blocks.value.filter(({ numTxs }) => numTxs > 0).slice(0, MAX_BLOCKS)
  const keys = new Set(COMMON_KEYS)
  for (const { header } of busy) {
    const { txsResults, finalizeBlockEvents } = await client.blockResults({ height: header.height })
    const events = [...finalizeBlockEvents, ...txsResults.flatMap(({ events: found }) => found)]
    for (const { type, attributes } of events)
      for (const { key, index } of attributes) if (index && keys.size < MAX_KEYS) keys.add(`${type}.${key}`)
  }
  return [...keys]
}
