import { createLane } from '@org/runtime'
import { expect, test } from 'vitest'
import { whileConnected } from './while-connected.ts'

/** Returns a lane with work in progress, which ends when `end` is called. */
function busyLane() {
  const lane = createLane()
  const { promise, resolve } = Promise.withResolvers<void>()
  void lane(() => promise)
  return { lane, end: resolve }
}

test('default: the work begins when its turn comes, and its result or error is passed on', async () => {
  const { lane, end } = busyLane()
  const { signal } = new AbortController()
  let begun = 0
  const calls = [
    whileConnected(lane, () => ++begun, signal),
    whileConnected(lane, () => Promise.reject(new Error('wrong')), signal),
  ]
  await Promise.resolve()
  expect(begun).toBe(0)
  end()
  await expect(calls[0]).resolves.toBe(1)
  await expect(calls[1]).rejects.toThrow('wrong')
})

test('behavior: the work of a client that disconnects never begins, and later work does', async () => {
  const { lane, end } = busyLane()
  const client = new AbortController()
  const begun: string[] = []
  const dropped = whileConnected(lane, () => begun.push('dropped'), client.signal)
  const later = whileConnected(lane, () => begun.push('later'), new AbortController().signal)
  client.abort(new Error('gone'))
  await expect(dropped).rejects.toThrow('gone')
  await expect(whileConnected(lane, () => begun.push('after'), client.signal)).rejects.toThrow('gone')
  end()
  await later
  expect(begun).toEqual(['later'])
})

test('behavior: a call whose work is in progress rejects when its client disconnects, and the work continues', async () => {
  const lane = createLane()
  const client = new AbortController()
  const { promise, resolve } = Promise.withResolvers<void>()
  const call = whileConnected(lane, () => promise, client.signal)
  const next = lane(() => 'next')
  await Promise.resolve()
  client.abort(new Error('gone'))
  await expect(call).rejects.toThrow('gone')
  resolve()
  expect(await next).toBe('next')
})
