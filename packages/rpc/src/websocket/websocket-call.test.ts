import { createVirtualClock } from '@org/runtime'
import { expect, test } from 'vitest'
import { createPace } from '../call/call-pace.ts'
import { binaryOf } from '../json/index.ts'
import { referenceProfile } from '../profiles/index.ts'
import type { Caller, RpcService } from '../service.ts'
import { answerMessage } from './websocket-call.ts'

const caller: Caller = { remoteAddress: '127.0.0.1:1', signal: () => new AbortController().signal }

/**
 * Makes a message that is not JSON. `answerMessage` answers this message with an error, and needs only `pace` and
 * `profile` of the service for the answer. So the service in each test has only these two parts.
 */
const badMessage = (size: number) => binaryOf(new Uint8Array(size).fill(0x78))

test('behavior: a large message is read in its turn, after the work that waited before', async () => {
  const pace = createPace({ clock: createVirtualClock() })
  const service = { pace, profile: referenceProfile } as unknown as RpcService
  const order: string[] = []
  // Uses up the time that calls have in this turn of the event loop, so that the next calls must wait.
  await pace.pause()
  const earlier = Promise.resolve(pace.run(() => order.push('earlier call')))
  const large = answerMessage(service, caller, badMessage(64 * 1024))
  expect(large).toBeInstanceOf(Promise)
  const later = Promise.resolve(large).then((reply) => {
    order.push('large message')
    return reply
  })
  expect(order).toEqual([])
  const [, reply] = await Promise.all([earlier, later])
  expect(order).toEqual(['earlier call', 'large message'])
  expect(String(reply)).toContain('error unmarshaling request')
})

test('behavior: a small message is read at once', async () => {
  const pace = createPace({ clock: createVirtualClock() })
  const service = { pace, profile: referenceProfile } as unknown as RpcService
  await pace.pause()
  expect(answerMessage(service, caller, badMessage(100))).not.toBeInstanceOf(Promise)
})
