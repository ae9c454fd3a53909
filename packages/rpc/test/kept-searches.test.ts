import { CodedError } from '@org/runtime'
import { expect, test } from 'vitest'
import type { Search } from '../src/index.ts'
import { createDumpPorts } from './dump-ports.ts'
import { startRpc } from './start-rpc.ts'

function createSearch() {
  const { search: recorded } = createDumpPorts('kvstore-single', { indexing: true })
  const asked: string[] = []
  let generation = 0
  const search: Search = {
    enabled: true,
    generation: () => generation,
    tx: recorded?.tx ?? (() => Promise.reject(new Error('no index'))),
    blocks: () => Promise.reject(new Error('not asked for')),
    txs: async ({ query }) => {
      asked.push(query)
      if (query === 'bad') throw new CodedError('BAD', 'bad query')
      return { total: generation, page: async () => [] }
    },
  }
  return { search, asked, change: () => void generation++ }
}

test('behavior: a page of results is cached until a block changes the results', async () => {
  const { search, asked, change } = createSearch()
  await using rpc = await startRpc({}, { search })
  const ask = async (params: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${rpc.port}/tx_search?${params}`)).text()
  const first = await ask('query="a"')
  expect(first).toContain('"total_count":"0"')
  expect(await ask('query="a"')).toBe(first)
  expect(asked).toEqual(['a'])
  change()
  expect(await ask('query="a"')).toContain('"total_count":"1"')
  await ask('query="b"')
  await ask('query="a"&per_page=5')
  await ask('query="a"&order_by="desc"')
  expect(asked.splice(0)).toEqual(['a', 'a', 'b', 'a', 'a'])

  // A search that failed is not cached. A search with proofs is not cached either, because the blocks of the proofs may
  // be pruned. So each of these searches runs twice.
  for (const params of ['query="bad"', 'query="a"&order_by="up"', 'query="a"&prove=true']) {
    const answer = await ask(params)
    expect(await ask(params)).toBe(answer)
    expect(asked.splice(0)).toHaveLength(2)
  }
})
