import { createAccount } from '@org/app'
import { createChain } from '@org/simnet'
import { expect, test } from 'vitest'
import { app } from './notes.ts'

test('two transactions share a block', async () => {
  await using chain = await createChain({ app, automine: false, genesis: { chainId: 'test' } })
  const alice = createAccount('alice')
  const note = (nonce: number) =>
    alice.sign({ type: 'write', value: { title: 'todo', text: `version ${nonce}` }, nonce, chainId: 'test' })
  await chain.broadcast(note(0))
  await chain.broadcast(note(1))
  await chain.advance()
  expect(chain.block()?.data.txs).toHaveLength(2)
})
