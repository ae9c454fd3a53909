import { createVirtualClock } from '@org/runtime'
import { expect, test } from 'vitest'
import { createUpdateLock } from './update-lock.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('default: work runs at once while the lock is free, otherwise in order after the release', async () => {
  const lock = createUpdateLock({ clock: createVirtualClock() })
  const ran: string[] = []
  lock.whenFree(() => ran.push('free'))
  const release = await lock.acquire()
  lock.whenFree(() => ran.push('a'))
  const second = lock.acquire()
  lock.whenFree(() => ran.push('b'))
  expect([ran.join(), lock.waiting(), lock.isFree()]).toEqual(['free', 3, false])
  release()
  release()
  const releaseSecond = await second
  expect(ran.join()).toBe('free,a')
  releaseSecond()
  expect(ran.join()).toBe('free,a,b')
  expect(lock.isFree()).toBe(true)
})

test('behavior: long work gives others a turn, and later arrivals do not overtake', async () => {
  const clock = createVirtualClock()
  const lock = createUpdateLock({ clock })
  const ran: number[] = []
  const release = await lock.acquire()
  for (let i = 0; i < 3; i++) {
    lock.whenFree(() => {
      clock.advance(6)
      ran.push(i)
    })
  }
  release()
  lock.whenFree(() => ran.push(3))
  expect(ran).toEqual([0])
  for (let i = 0; i < 5; i++) await turn()
  expect(ran).toEqual([0, 1, 2, 3])
})
