import { createSystemClock, nextTurn } from '@org/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { createPace } from './call-pace.ts'
import { createLargeAnswers } from './large-answers.ts'

/** The JSON of an answer. It is so long that it is large. */
const textOf = (name: string): string => name.repeat(100_000)

/**
 * Makes answers of 100 pieces. Each piece takes a slice of the event loop, because each reading of the clock is later.
 */
function setUp() {
  let now = 0
  const clock = { monotonic: () => (now += 2), after: createSystemClock().after }
  const modules = { clock, pace: createPace({ clock }) }
  const answers = createLargeAnswers()
  const counts = { atWork: 0, most: 0, loadedAgain: 0 }
  function* pieces(name: string): Generator<string> {
    counts.atWork++
    try {
      // The first piece shows that the answer is large.
      yield name.repeat(100_000 - 99)
      counts.most = Math.max(counts.most, counts.atWork)
      for (let i = 1; i < 100; i++) yield name
    } finally {
      counts.atWork--
    }
  }
  const make = async (name: string, { key, signal }: { readonly key?: string; readonly signal?: AbortSignal } = {}) => {
    const reload = async (): Promise<Iterable<string>> => {
      counts.loadedAgain++
      return pieces(name)
    }
    const bytes = await answers.make({
      key,
      pieces: pieces(name),
      reload,
      modules,
      signal: signal ?? new AbortController().signal,
    })
    return new TextDecoder().decode(bytes)
  }
  return { answers, counts, make, modules }
}

test('limit: at most four answers are made at the same time; the others are loaded when their turn comes', async () => {
  const { counts, make } = setUp()
  const names = [...'abcdefghij']
  expect(await Promise.all(names.map((name) => make(name)))).toEqual(names.map(textOf))
  expect(counts).toEqual({ atWork: 0, most: 4, loadedAgain: 6 })
})

test('behavior: a short answer does not wait for large answers', async () => {
  const { answers, counts, make, modules } = setUp()
  const large = [...'abcdefgh'].map((name) => make(name))
  const { signal } = new AbortController()
  const reload = (): Promise<never> => Promise.reject(new Error('a short answer is not loaded again'))
  const bytes = await answers.make({ key: undefined, pieces: ['{"txs":[', ']}'], reload, modules, signal })
  expect(new TextDecoder().decode(bytes)).toBe('{"txs":[]}')
  expect(counts.loadedAgain).toBe(0)
  await Promise.all(large)
})

test('behavior: an answer is not made, or not made to its end, if its client disconnects', async () => {
  const { counts, make } = setUp()
  const client = new AbortController()
  const gone = Promise.allSettled([...'abcdefgh'].map((name) => make(name, { signal: client.signal })))
  const other = make('x')
  await nextTurn()
  expect(counts.atWork).toBe(4)
  client.abort(new Error('gone'))
  expect((await gone).every(({ status }) => status === 'rejected')).toBe(true)
  expect(await other).toBe(textOf('x'))
  expect(counts).toEqual({ atWork: 0, most: 4, loadedAgain: 1 })
})

test('behavior: calls with the same key share the work, which ends when all their clients have disconnected', async () => {
  const { answers, counts, make } = setUp()
  const [first, second] = [new AbortController(), new AbortController()]
  const calls = [make('a', { key: 'a', signal: first.signal }), make('a', { key: 'a' })]
  const joined = answers.join('a', second.signal)
  first.abort(new Error('first'))
  await expect(calls[0]).rejects.toThrow('first')
  expect(await calls[1]).toBe(textOf('a'))
  expect((await joined)?.length).toBe(100_000)
  expect([counts.most, answers.join('a', second.signal)]).toEqual([1, undefined])

  const dropped = make('b', { key: 'b', signal: second.signal })
  second.abort(new Error('second'))
  await expect(dropped).rejects.toThrow('second')
  expect(answers.join('b', new AbortController().signal)).toBe(undefined)
  expect(await make('b', { key: 'b' })).toBe(textOf('b'))
})

test('error: a result that cannot be loaded does not end the process after its client has disconnected', async () => {
  const { answers, modules } = setUp()
  const failing = (signal: AbortSignal): Promise<Uint8Array> => {
    const pieces = Promise.reject<Iterable<string>>(new Error('out of range'))
    return answers.make({ key: 'a', pieces, reload: () => pieces, modules, signal })
  }
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  await expect(failing(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  await nextTurn()
  expect(unhandled).toEqual([])
  await expect(failing(new AbortController().signal)).rejects.toThrow('out of range')
})

test('limit: at most four results are loaded at the same time, also after a failure', async () => {
  const { answers } = setUp()
  const { promise, resolve } = Promise.withResolvers<void>()
  const { signal } = new AbortController()
  let loading = 0
  const load = async (): Promise<never> => {
    loading++
    await promise
    throw new Error('not found')
  }
  const loads = Promise.allSettled(Array.from({ length: 10 }, () => answers.load(load, signal)))
  await nextTurn()
  expect(loading).toBe(4)
  resolve()
  await loads
  expect(loading).toBe(10)
})
