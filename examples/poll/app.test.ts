import { createAccount } from '@org/app'
import { expect, test } from 'vitest'
import { startExample } from '../start-chain.ts'
import { app } from './app.ts'

const [alice, bob] = [createAccount('alice'), createAccount('bob')]
const QUESTION = { question: 'Tea or coffee?', answers: ['tea', 'coffee'], minutes: 60 }

test('each account votes once, until the time of the blocks ends the poll', async () => {
  await using poll = await startExample(app)
  await poll.send(alice, 'ask', QUESTION)
  const [asked] = (await poll.ask('/polls')) as readonly { id: string }[]
  const id = asked?.id ?? ''
  expect(await poll.send(alice, 'vote', { poll: id, answer: 1 })).toBe('ok')
  expect(await poll.send(alice, 'vote', { poll: id, answer: 0 })).toBe('5: each account votes once')
  expect(await poll.send(bob, 'vote', { poll: id, answer: 2 })).toBe('4: there is no answer 2: the answers are 0 to 1')
  expect(await poll.send(bob, 'vote', { poll: 'other', answer: 0 })).toBe('2: no poll other')
  await poll.chain.advance({ time: 3_600_000 })
  expect(await poll.send(bob, 'vote', { poll: id, answer: 0 })).toBe('3: the poll is over')
  expect(await poll.ask('/polls')).toMatchObject([{ question: 'Tea or coffee?', votes: [0, 1] }])
  expect(await poll.ask('/ballot', { poll: id, voter: alice.address })).toBe(1)
})

test('a question with one answer, or the same answer twice, is refused', async () => {
  await using poll = await startExample(app)
  expect(await poll.send(alice, 'ask', { ...QUESTION, answers: ['yes'] })).toMatch(/^3: .*answers/)
  expect(await poll.send(alice, 'ask', { ...QUESTION, answers: ['yes', ' yes'] })).toBe('1: two answers are the same')
})

test('the newest poll is shown first', async () => {
  await using poll = await startExample(app)
  for (const question of ['first', 'second']) await poll.send(alice, 'ask', { ...QUESTION, question })
  expect(await poll.ask('/polls')).toMatchObject([{ question: 'second' }, { question: 'first' }])
})
