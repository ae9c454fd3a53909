import { expect, test } from 'vitest'
import { createListeners } from './index.ts'

test('default: listeners are called in order, and until their signal aborts', () => {
  const listeners = createListeners<number>()
  const log: string[] = []
  const end = new AbortController()
  listeners.add((n) => log.push(`a${n}`))
  listeners.add((n) => log.push(`b${n}`), end.signal)
  listeners.call(1)
  end.abort()
  listeners.call(2)
  expect(log).toEqual(['a1', 'b1', 'a2'])
  expect(listeners.size()).toBe(1)
})

test('edge: a listener with an aborted signal is never called, and a listener that is added in a call waits for the next call', () => {
  const listeners = createListeners()
  const log: string[] = []
  listeners.add(() => log.push('never'), AbortSignal.abort())
  listeners.add(() => {
    log.push('first')
    if (log.length === 1) listeners.add(() => log.push('second'))
  })
  listeners.call()
  expect(log).toEqual(['first'])
  listeners.call()
  expect(log).toEqual(['first', 'first', 'second'])
})

test('edge: a function that was added twice is called twice, and each signal removes one of them', () => {
  const listeners = createListeners()
  const end = new AbortController()
  let calls = 0
  const listener = (): void => void calls++
  listeners.add(listener)
  listeners.add(listener, end.signal)
  listeners.call()
  end.abort()
  listeners.call()
  expect(calls).toBe(3)
})
