import type { ExecutionIndexer } from '../execution/index.ts'
import type { KeyValueStore } from '../store/index.ts'

export interface Index extends ExecutionIndexer {
  readonly enabled: boolean
}

export function openIndex(_options: { readonly prune: boolean }, { db }: { readonly db?: KeyValueStore }): Index {
  return { enabled: db !== undefined, index: () => Promise.resolve() }
}
