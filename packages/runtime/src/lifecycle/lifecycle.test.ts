import { expect, test } from 'vitest'
import { createVirtualClock, isCodedError } from '../index.ts'
import { createLifecycle, createServiceGroup, LIFECYCLE_ERRORS, type ServicePart } from './index.ts'

/** Makes a promise that the test settles. */
function pending() {
  let resolve: () => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('default: start and stop change the status, and the steps run in order', async () => {
  const log: string[] = []
  const life = createLifecycle({
    name: 'part',
    start: () => void log.push(`start ${life.status()}`),
    stop: () => void log.push(`stop ${life.status()}`),
    close: () => void log.push(`close ${life.status()}`),
  })
  expect([life.status(), life.isActive()]).toEqual(['created', false])
  const starting = life.start()
  expect([life.status(), life.isActive()]).toEqual(['starting', true])
  await starting
  expect([life.status(), life.isActive(), life.signal.aborted]).toEqual(['running', true, false])
  await life.stop()
  expect([life.status(), life.isActive(), life.signal.aborted]).toEqual(['stopped', false, true])
  expect(isCodedError(life.signal.reason, LIFECYCLE_ERRORS.stopping)).toBe(true)
  expect(log).toEqual(['start starting', 'stop stopping', 'close stopping'])
})

test('behavior: stop waits for start and for all tasks, also tasks that a task begins, before it closes', async () => {
  const [first, second, started] = [pending(), pending(), pending()]
  const log: string[] = []
  const life = createLifecycle({
    name: 'part',
    start: () => started.promise,
    stop: started.resolve,
    finish: () => void log.push('finish'),
    close: () => void log.push('close'),
  })
  const starting = life.start()
  life.run(async () => {
    await first.promise
    log.push('first')
    life.run(async () => {
      await second.promise
      log.push('second')
    })
  })
  const stopping = life.stop()
  expect(life.stop()).toBe(stopping)
  await starting
  await turn()
  expect(log).toEqual([])
  first.resolve()
  await turn()
  expect(log).toEqual(['first'])
  second.resolve()
  await stopping
  expect(log).toEqual(['first', 'second', 'finish', 'close'])
})

test('error: a task that rejects makes the component fail once, and stop still runs its steps', async () => {
  const log: unknown[] = []
  const life = createLifecycle({
    name: 'part',
    failed: (error) => void log.push(error),
    close: () => void log.push('close'),
  })
  await life.start()
  const error = new Error('broken')
  life.run(() => Promise.reject(error))
  life.run(async (signal) => {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  await turn()
  expect([life.status(), life.isActive(), life.signal.reason]).toEqual(['failed', false, error])
  life.fail(new Error('later'))
  expect(log).toEqual([error])
  await life.stop()
  expect([life.status(), ...log]).toEqual(['stopped', error, 'close'])
})

test('error: start rejects with the error of its step, and the status becomes failed', async () => {
  const failures: unknown[] = []
  const life = createLifecycle({
    name: 'part',
    start: () => Promise.reject(new Error('no port')),
    failed: (error) => void failures.push(error),
  })
  await expect(life.start()).rejects.toThrow('no port')
  expect([life.status(), failures]).toEqual(['failed', []])
  await expect(life.start()).rejects.toMatchObject({ code: LIFECYCLE_ERRORS.notNew })
})

test('error: a component that was stopped cannot be started, and the error says so', async () => {
  const life = createLifecycle({ name: 'the switch' })
  await life.stop()
  await expect(life.start()).rejects.toMatchObject({
    code: LIFECYCLE_ERRORS.notNew,
    message: 'the switch cannot be started, because its status is "stopped"; create a new one',
  })
})

test('edge: the signal of the caller ends the start, and does not stop a component that runs', async () => {
  const clock = createVirtualClock()
  const waiting = createLifecycle({ name: 'part', start: (signal) => clock.sleep(1000, signal) })
  const leaving = new AbortController()
  const starting = waiting.start(leaving.signal)
  leaving.abort(new Error('interrupted'))
  await expect(starting).rejects.toThrow('interrupted')
  expect([waiting.status(), clock.pending()]).toEqual(['failed', 0])

  const signals: AbortSignal[] = []
  const running = createLifecycle({ name: 'part', start: (signal) => void signals.push(signal) })
  const later = new AbortController()
  await running.start(later.signal)
  later.abort()
  const isEnded = (): boolean | undefined => signals[0]?.aborted
  expect([running.status(), running.signal.aborted, isEnded()]).toEqual(['running', false, false])
  await running.stop()
  expect(isEnded()).toBe(true)

  const early = createLifecycle({ name: 'part', start: (signal) => signal.throwIfAborted() })
  await expect(early.start(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
})

test('edge: if the caller aborts the start and stops the component, the start rejects with the reason of the caller', async () => {
  const life = createLifecycle({ name: 'part', start: (signal) => createVirtualClock().sleep(1000, signal) })
  const leaving = new AbortController()
  leaving.signal.addEventListener('abort', () => void life.stop())
  const starting = life.start(leaving.signal)
  leaving.abort(new Error('interrupted'))
  await expect(starting).rejects.toThrow('interrupted')
})

test('edge: stop ends a start that was given the signal of a caller', async () => {
  const clock = createVirtualClock()
  const life = createLifecycle({ name: 'part', start: (signal) => clock.sleep(1000, signal) })
  const starting = life.start(new AbortController().signal)
  await Promise.all([life.stop(), expect(starting).rejects.toMatchObject({ code: LIFECYCLE_ERRORS.stopping })])
  expect([life.status(), clock.pending()]).toEqual(['stopped', 0])
})

test('edge: an error of a task that ends because of stop is not a failure', async () => {
  const failures: unknown[] = []
  const clock = createVirtualClock()
  const life = createLifecycle({ name: 'part', failed: (error) => void failures.push(error) })
  await life.start()
  life.run((signal) => clock.sleep(1000, signal))
  await life.stop()
  expect([failures, clock.pending()]).toEqual([[], 0])
})

test('edge: with the option stopTimeout, stop closes even if a task never ends', async () => {
  const clock = createVirtualClock()
  const log: string[] = []
  const life = createLifecycle({ name: 'part', close: () => void log.push('close'), stopTimeout: { clock, ms: 1000 } })
  await life.start()
  life.run(() => new Promise(() => undefined))
  const stopping = life.stop()
  await turn()
  clock.advance(999)
  await turn()
  expect(log).toEqual([])
  clock.advance(1)
  await stopping
  expect([log, clock.pending()]).toEqual([['close'], 0])
})

test('behavior: await using stops the component at the end of the block', async () => {
  const life = createLifecycle({ name: 'part' })
  {
    await using used = life
    await used.start()
  }
  expect(life.status()).toBe('stopped')
})

function part(log: string[], name: string, more: ServicePart = {}): ServicePart {
  return { start: () => void log.push(`+${name}`), stop: () => void log.push(`-${name}`), ...more }
}

test('default: a group starts its parts in order and stops them in reverse', async () => {
  const log: string[] = []
  const group = createServiceGroup('group', [part(log, 'a'), { stop: () => void log.push('-b') }, part(log, 'c')])
  await group.start()
  await group.stop()
  expect(log).toEqual(['+a', '+c', '-c', '-b', '-a'])
})

test('error: if a part of a group cannot start, the parts before it are stopped', async () => {
  const log: string[] = []
  const broken = part(log, 'b', { start: () => Promise.reject(new Error('no port')) })
  const group = createServiceGroup('group', [part(log, 'a'), broken, part(log, 'c')])
  await expect(group.start()).rejects.toThrow('no port')
  await group.stop()
  expect(log).toEqual(['+a', '-b', '-a'])
})

test('error: if a part of a group cannot stop, the others are stopped, and the first error is thrown', async () => {
  const log: string[] = []
  const stuck = (name: string): ServicePart =>
    part(log, name, { stop: () => Promise.reject(new Error(`stuck ${name}`)) })
  const group = createServiceGroup('group', [part(log, 'a'), stuck('b'), stuck('c')])
  await group.start()
  await expect(group.stop()).rejects.toThrow('stuck c')
  expect([log, group.status()]).toEqual([['+a', '+b', '+c', '-a'], 'stopped'])
})

test('edge: a group that is stopped during its start starts no further part', async () => {
  const log: string[] = []
  const slow = pending()
  const group = createServiceGroup('group', [part(log, 'a', { start: () => slow.promise }), part(log, 'b')])
  const starting = group.start()
  const stopping = group.stop()
  slow.resolve()
  await Promise.all([starting, stopping])
  expect(log).toEqual(['-a'])
})
