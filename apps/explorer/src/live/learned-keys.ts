import type { RpcMethods } from '@org/rpc/client'
import { blocks } from './chain.ts'
import { COMMON_KEYS } from './query-help.ts'

/** The maximum number of blocks whose events are searched for the keys of attributes. */
const MAX_BLOCKS = 5
/** The maximum number of attribute keys that the function `learnKeys` returns. */
const MAX_KEYS = 200

/**
 * Returns keys for queries: the keys that every chain has, and the keys of the indexed attributes in the last blocks
 * with transactions.
 */
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
