import { ABCI_ERRORS, type AbciConnections } from '@org/abci'
import { expect, test } from 'vitest'
import { createAppQuery, MAX_WAITING_BYTES } from './app.ts'

const MEGABYTE = 1024 * 1024

/** Creates the port of an application that answers no call before `answer` is called. */
function setUp() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let sent = 0
  const method = async (): Promise<object> => {
    sent++
    await promise
    return {}
  }
  const client = { query: method, info: method, checkTx: method }
  const app = createAppQuery({ query: client, mempool: client } as unknown as AbciConnections)
  return { app, answer: resolve, sent: () => sent }
}

const query = (bytes: number) => ({ path: '', data: new Uint8Array(bytes), height: 0, prove: false })

test('limit: calls that the application does not answer have one bound of memory, over both connections', async () => {
  const { app, answer, sent } = setUp()
  const waiting: Promise<unknown>[] = []
  for (let i = 0; i < 40; i++) waiting.push(app.query(query(MEGABYTE)), app.checkTx(new Uint8Array(MEGABYTE)))
  const settled = Promise.allSettled(waiting)
  expect(sent()).toBe(63)
  const refused = expect.objectContaining({
    code: ABCI_ERRORS.tooManyPending,
    message: expect.stringMatching(/^ABCI_TOO_MANY_PENDING: calls of clients with \d+ bytes .* try again later$/),
  })
  await expect(app.checkTx(new Uint8Array(MEGABYTE))).rejects.toEqual(refused)
  // A short call still has room.
  waiting.push(app.info())
  expect(sent()).toBe(64)
  answer()
  expect((await settled).filter(({ status }) => status === 'fulfilled').length).toBe(63)
  await expect(app.query(query(MEGABYTE))).resolves.toEqual({})
})

test('edge: a call that is larger than the bound is sent if no other call waits', async () => {
  const { app, answer, sent } = setUp()
  const call = app.query(query(MAX_WAITING_BYTES))
  expect(sent()).toBe(1)
  answer()
  await expect(call).resolves.toEqual({})
})
