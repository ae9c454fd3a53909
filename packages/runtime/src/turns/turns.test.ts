import { expect, test } from 'vitest'
import { createVirtualClock } from '../clock/index.ts'
import { createTurns } from './turns.ts'

test('default: after its time the work waits for a turn of the event loop, in which other work runs', async () => {
  const clock = createVirtualClock(0n)
  const turns = createTurns(clock)
  expect(turns.isDue()).toBe(false)
  clock.advance(5)
  expect(turns.isDue()).toBe(false)
  clock.advance(1)
  expect(turns.isDue()).toBe(true)
  let others = 0
  setImmediate(() => others++)
  await turns.take()
  expect(others).toBe(1)
  expect(turns.isDue()).toBe(false)
})
