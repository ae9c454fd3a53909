import type { Application } from '@org/abci'
import { utf8ToBytes } from '@org/types/bytes'

/** An application that keeps the pairs of its transactions in memory; its app hash depends on all of them. */
export function createKeyValueApp(): Application {
  const pairs = new Map<string, string>()
  return {
    finalizeBlock: ({ txs }) => {
      for (const tx of txs) {
        const [key = '', value = ''] = new TextDecoder().decode(tx).split('=')
        pairs.set(key, value)
      }
      const appHash = utf8ToBytes(JSON.stringify([...pairs]))
      return { txResults: txs.map(() => ({ code: 0 })), appHash }
    },
    query: ({ data }) => ({ value: utf8ToBytes(pairs.get(new TextDecoder().decode(data)) ?? '') }),
  }
}
