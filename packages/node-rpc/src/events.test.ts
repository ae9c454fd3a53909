import { createEventBus, type EventHistory } from '@org/engine/events'
import { ExecTxResult } from '@org/types/abci'
import { utf8ToBytes } from '@org/types/bytes'
import { expect, test } from 'vitest'
import { createEventsPort } from './events.ts'

const tx = utf8ToBytes('name=satoshi')
const committed = { height: 7, index: 0, tx, result: ExecTxResult.create() }

function waiting(signal: AbortSignal) {
  const disk = Promise.withResolvers<void>()
  const { awaitTx } = createEventsPort({
    bus: createEventBus(),
    txWaiters: { wait: async () => committed, publish: () => undefined },
    history: {} as EventHistory,
    chainId: 'test-chain',
    index: { written: () => disk.promise },
  })
  const answers: unknown[] = []
  const answer = awaitTx(new Uint8Array(32), signal).then(
    (found) => answers.push(found),
    (error: unknown) => answers.push(error),
  )
  return { disk, answers, answer }
}

test('default: a caller that waits for a transaction is answered when it is indexed', async () => {
  const { disk, answers, answer } = waiting(new AbortController().signal)
  await new Promise(setImmediate)
  expect(answers).toEqual([])
  disk.resolve()
  await answer
  expect(answers).toEqual([{ height: 7, result: committed.result }])
})

test('error: rejects if the transaction cannot be indexed, or takes too long', async () => {
  const broken = waiting(new AbortController().signal)
  broken.disk.reject(new Error('disk'))
  await broken.answer
  expect(broken.answers).toEqual([new Error('disk')])

  const timeLimit = new AbortController()
  const hanging = waiting(timeLimit.signal)
  await new Promise(setImmediate)
  timeLimit.abort(new Error('timed out'))
  await hanging.answer
  expect(hanging.answers).toEqual([new Error('timed out')])
})
