import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChain } from '@org/simnet'

const guestbook = () => {
  const names = new Set()
  return {
    checkTx: ({ tx }) => (tx.length > 0 ? {} : { code: 1, log: 'no name' }),
    finalizeBlock: ({ txs }) => {
      for (const tx of txs) names.add(new TextDecoder().decode(tx))
      return { txResults: txs.map(() => ({})) }
    },
    query: ({ data }) => ({ value: String(names.has(new TextDecoder().decode(data))) }),
  }
}

await test('a name is in the book after its block', async () => {
  const chain = await createChain({ app: guestbook, validators: 4 })
  assert.equal((await chain.broadcast('satoshi')).code, 0)
  await chain.advance({ blocks: 3 })
  const { value } = await chain.query('/name', 'satoshi')
  assert.equal(new TextDecoder().decode(value), 'true')
  await chain.stop()
})
