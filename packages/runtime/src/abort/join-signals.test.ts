import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { joinSignals } from './join-signals.ts'

const listenersAt = (...signals: readonly AbortSignal[]): number[] =>
  signals.map((signal) => getEventListeners(signal, 'abort').length)

test('default: the joined signal aborts with the reason of the signal that aborts first', () => {
  const [one, other] = [new AbortController(), new AbortController()]
  const joined = joinSignals(one.signal, undefined, other.signal)
  expect(joined.signal.aborted).toBe(false)
  other.abort('other')
  one.abort('one')
  expect(joined.signal.reason).toBe('other')
})

test('default: without signals, only its owner aborts the joined signal', () => {
  const joined = joinSignals(undefined)
  expect(joined.signal.aborted).toBe(false)
  joined.abort('over')
  expect(joined.signal.reason).toBe('over')
})

test('behavior: an abort, the owner, and unlink each remove the listeners at all signals', () => {
  const [one, other] = [new AbortController(), new AbortController()]
  const first = joinSignals(one.signal, other.signal)
  const second = joinSignals(one.signal, other.signal)
  const third = joinSignals(one.signal, other.signal)
  expect(listenersAt(one.signal, other.signal)).toEqual([3, 3])
  first.unlink()
  expect(listenersAt(one.signal, other.signal)).toEqual([2, 2])
  second.abort('over')
  expect(listenersAt(one.signal, other.signal)).toEqual([1, 1])
  one.abort('one')
  expect(listenersAt(one.signal, other.signal)).toEqual([0, 0])
  expect([first.signal.aborted, second.signal.reason, third.signal.reason]).toEqual([false, 'over', 'one'])
})

test('behavior: after unlink, only the owner aborts the joined signal', () => {
  const one = new AbortController()
  const joined = joinSignals(one.signal)
  joined.unlink()
  one.abort('one')
  expect(joined.signal.aborted).toBe(false)
  joined.abort('owner')
  expect(joined.signal.reason).toBe('owner')
})

test('edge: a signal that has aborted before aborts the joined signal at once, and no listener is added', () => {
  const other = new AbortController()
  const joined = joinSignals(AbortSignal.abort('before'), other.signal)
  expect(joined.signal.reason).toBe('before')
  expect(listenersAt(other.signal)).toEqual([0])
})

test('edge: if a listener at one signal aborts another, the reason is that of the signal that is first in the list', () => {
  const [caller, own] = [new AbortController(), new AbortController()]
  caller.signal.addEventListener('abort', () => own.abort('own'), { once: true })
  const joined = joinSignals(caller.signal, own.signal)
  caller.abort('caller')
  expect(joined.signal.reason).toBe('caller')
})
