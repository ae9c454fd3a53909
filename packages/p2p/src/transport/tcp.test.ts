import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { dialTcp, listenTcp, TRANSPORT_ERRORS } from './index.ts'

const HOST = '127.0.0.1'

test('behavior: a dial that has ended leaves no listener at its signal', async () => {
  const { signal } = new AbortController()
  const listener = await listenTcp({ host: HOST, port: 0 }, (transport) => transport.close())
  const { port } = listener
  const transport = await dialTcp({ host: HOST, port }, { timeoutMs: 5000, signal })
  transport.close()
  expect(getEventListeners(signal, 'abort')).toEqual([])
  await listener.close()
  await expect(dialTcp({ host: HOST, port }, { timeoutMs: 5000, signal })).rejects.toMatchObject({
    code: TRANSPORT_ERRORS.dial,
  })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('error: an abort ends a dial, also before the dial has begun', async () => {
  const stop = new AbortController()
  const listener = await listenTcp({ host: HOST, port: 0 }, (transport) => transport.close())
  const dial = (): Promise<unknown> =>
    dialTcp({ host: HOST, port: listener.port }, { timeoutMs: 50_000, signal: stop.signal })
  // `stop` aborts in this turn of the event loop, so the connection cannot be complete before the abort.
  const dialling = expect(dial()).rejects.toMatchObject({ code: TRANSPORT_ERRORS.dial })
  stop.abort(new Error('stopped'))
  await dialling
  await expect(dial()).rejects.toThrow('stopped')
  await listener.close()
})
