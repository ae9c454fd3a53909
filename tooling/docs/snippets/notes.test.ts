import { createAccount } from '@org/app'
import { createChain } from '@org/simnet'
import { expect, test } from 'vitest'
import { app } from './notes.ts'

const [alice, bob] = [createAccount('alice'), createAccount('bob')]

test('only the author changes a note', async () => {
  // The chain has four validators, so the test fails if two of them compute different states.
  await using chain = await createChain({ app, validators: 4, genesis: { chainId: 'test' } })
  const write = (text: string) => ({ type: 'write', value: { title: 'todo', text }, nonce: 0, chainId: 'test' })

  expect(await chain.broadcast(alice.sign(write('tests')))).toMatchObject({ code: 0, height: 1 })
  expect(await chain.broadcast(bob.sign(write('nothing')))).toMatchObject({ code: 1, codespace: 'notes' })

  const { value } = await chain.query('/note', JSON.stringify('todo'))
  expect(JSON.parse(new TextDecoder().decode(value))).toEqual({ author: alice.address, text: 'tests' })
  expect(await chain.search(`write.author='${alice.address}'`)).toHaveLength(1)
})
