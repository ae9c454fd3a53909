import type { CommittedChain, Engine } from '@org/engine'
import type { Hits } from '@org/engine/storage'
import { RequestQuery, ResponseFinalizeBlock } from '@org/types/abci'
import { utf8ToBytes } from '@org/types/bytes'
import { checkHash, checkHeight, checkText, checkTextOrBytes } from './arguments.ts'
import type { Chain } from './chain.ts'
import type { Progress } from './progress.ts'
import type { ReadWriteLock } from './read-write-lock.ts'

export interface ReadsModules {
  /** The running engine of the first validator. Throws if the engine has stopped. */
  readonly engine: () => CommittedChain & Pick<Engine, 'abci'>
  readonly height: () => number
  readonly runShared: ReadWriteLock['runShared']
  readonly drive: Progress['drive']
}

async function found<T>(search: Promise<Hits<T>>): Promise<readonly T[]> {
  const { total, page } = await search
  return page(0, total)
}

export const bytesOf = (text: string | Uint8Array): Uint8Array => (typeof text === 'string' ? utf8ToBytes(text) : text)

/** The calls that read the stores and the index, or ask the application. */
export function createReads(
  modules: ReadsModules,
): Pick<Chain, 'block' | 'query' | 'results' | 'tx' | 'search' | 'searchBlocks'> {
  const { engine, height, runShared, drive } = modules
  return {
    block: (at) => {
      checkHeight('block: height', at)
      return engine().blockStore.loadBlock(at ?? height())
    },
    query: async (path, data = '', at = 0) => {
      checkText('query: path', path, '"/name"')
      checkTextOrBytes('query: data', data)
      checkHeight('query: height', at)
      const request = RequestQuery.create({ path, data: bytesOf(data), height: at })
      return runShared(() => drive(engine().abci.query.query(request), 'answer to Query'))
    },
    results: (at = height()) => {
      checkHeight('results: height', at)
      const bytes = engine().stateStore.loadFinalizeBlockBytes(at)
      // If each member of a response has its default value, the stored response has no bytes. The state store would
      // throw for a response without bytes, as if the response were missing. So this function makes the response.
      if (bytes?.length === 0) return ResponseFinalizeBlock.create()
      return engine().stateStore.loadFinalizeBlockResponse(at)
    },
    tx: async (hash) => {
      checkHash('tx: hash', hash)
      return runShared(() => drive(engine().index.tx(hash), 'index'))
    },
    search: async (query) => {
      checkText('search: query', query, '"tx.height=1"')
      return runShared(() => drive(found(engine().index.txs({ query, order: 'asc' })), 'index'))
    },
    searchBlocks: async (query) => {
      checkText('searchBlocks: query', query, '"block.height=1"')
      return runShared(() => drive(found(engine().index.blocks({ query, order: 'asc' })), 'index'))
    },
  }
}
