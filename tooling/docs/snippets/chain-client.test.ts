import { createAccount } from '@org/app'
import { createChain } from '@org/simnet'
import { expect, test } from 'vitest'
import { app } from './notes.ts'

test('a client finds a note by its event', async () => {
  await using chain = await createChain({ app, genesis: { chainId: 'test' } })
  const tx = createAccount('alice').sign({
    type: 'write',
    value: { title: 'todo', text: 'tests' },
    nonce: 0,
    chainId: 'test',
  })
  const { hash } = await chain.client.broadcastTxSync({ tx })
  const { txs } = await chain.client.txSearch({ query: "write.title='todo'" })
  expect(txs.map((found) => found.hash)).toEqual([hash])
})
