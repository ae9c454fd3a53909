import type { Index } from '@org/engine/node'
import type { Search } from '@org/rpc'

export function createSearchPort(index: Index): Search {
  return {
    enabled: index.enabled,
    tx: async () => undefined,
    txs: async () => ({ total: 0, page: async () => [] }),
    blocks: async () => ({ total: 0, page: async () => [] }),
  }
}
