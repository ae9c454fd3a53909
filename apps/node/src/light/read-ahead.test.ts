import { createHttpTransport, type RpcAnswer, type RpcCall, type RpcTransport } from '@org/rpc/client'
import { describe, expect, test } from 'vitest'
import { createReadAhead } from './read-ahead.ts'

const commit = (height: number): RpcCall => ({ method: 'commit', params: { height: String(height) } })
const answerAt = (height: number, signatures = 150): RpcAnswer => ({
  result: { signed_header: { header: { height }, commit: { signatures: Array.from({ length: signatures }) } } },
})

type Answers = (heights: readonly number[]) => readonly RpcAnswer[]

/** A node that records the heights of each request, and answers as `answers` says. */
function startNode(answers: Answers = (heights) => heights.map((height) => answerAt(height))) {
  const requests: (readonly number[])[] = []
  const node: RpcTransport = {
    send: async (calls, signal) => {
      const heights = calls.map(({ params }) => Number(params.height))
      requests.push(heights)
      await Promise.resolve()
      signal?.throwIfAborted()
      return answers(heights)
    },
    close: () => undefined,
  }
  const { send } = createReadAhead(node)
  return { requests, send, ask: async (height: number) => (await send([commit(height)]))[0] }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

test('default: after two heights in order, a request has as many commits as the limit of signatures allows', async () => {
  const { requests, ask } = startNode()
  for (const height of range(1, 15)) expect(await ask(height)).toEqual(answerAt(height))
  expect(requests).toEqual([[1], [2], range(3, 8), range(9, 14), range(15, 20)])
})

test.each([
  [4, 10],
  [500, 2],
  [501, 1],
  [10_000, 1],
])('behavior: with %i signatures per commit, a request has %i commits', async (signatures, count) => {
  const { requests, ask } = startNode((heights) => heights.map((height) => answerAt(height, signatures)))
  for (const height of [1, 2, 3]) await ask(height)
  expect(requests.at(-1)).toEqual(range(3, 2 + count))
})

test.each([
  ['nothing', { result: null }],
  ['no list of signatures', { result: { signed_header: { commit: { signatures: 'x' } } } }],
])('error: after an answer with %s, a request has one commit', async (_name, answer) => {
  const { requests, ask } = startNode(([height]) => [
    answer as RpcAnswer,
    ...(height === 3 ? [answer as RpcAnswer] : []),
  ])
  for (const height of [1, 2, 3]) expect(await ask(height)).toEqual(answer)
  expect(requests).toEqual([[1], [2], [3]])
})

test('behavior: another height than the next one is requested again, and the kept answers are dropped', async () => {
  const { requests, ask } = startNode()
  for (const height of [1, 2, 3, 5, 4]) expect(await ask(height)).toEqual(answerAt(height))
  expect(requests).toEqual([[1], [2], range(3, 8), [5], [4]])
})

test('behavior: other calls, and a commit together with its validators, are sent unchanged', async () => {
  const { requests, send, ask } = startNode()
  for (const height of [1, 2, 3]) await ask(height)
  const validators = { method: 'validators', params: { height: '4' } }
  await send([commit(4), validators])
  await send([validators])
  await send([{ method: 'commit', params: {} }])
  expect(requests.slice(3)).toEqual([[4, 4], [4], [Number.NaN]])
})

test('behavior: an error for a further height is not kept, and this height is requested when it is needed', async () => {
  let latest = 4
  const error: RpcAnswer = { error: { message: 'height must be less than or equal to the current height' } }
  const { requests, ask } = startNode((heights) =>
    heights.map((height) => (height <= latest ? answerAt(height) : error)),
  )
  for (const height of [1, 2, 3, 4]) expect(await ask(height)).toEqual(answerAt(height))
  latest = 5
  expect(await ask(5)).toEqual(answerAt(5))
  expect(requests).toEqual([[1], [2], range(3, 8), range(5, 10)])
})

test.each<[string, () => RpcAnswer]>([
  ['one error', () => ({ error: { message: 'no batches' } })],
  [
    'no list of replies',
    () => {
      throw new Error('the answer is not JSON')
    },
  ],
])(
  'error: a node that answers several commits with %s receives each commit alone from then on',
  async (_name, refuse) => {
    const { requests, ask } = startNode((heights) =>
      heights.map((height) => (heights.length === 1 ? answerAt(height) : refuse())),
    )
    for (const height of range(1, 6)) expect(await ask(height)).toEqual(answerAt(height))
    expect(requests).toEqual([[1], [2], range(3, 8), [3], [4], [5], [6]])
  },
)

test('error: an aborted request rejects with the reason, and later ones have at most half as many commits', async () => {
  const { requests, ask, send } = startNode()
  for (const height of [1, 2]) await ask(height)
  const stop = new AbortController()
  const answer = send([commit(3)], stop.signal)
  stop.abort(new Error('too late'))
  await expect(answer).rejects.toThrow('too late')
  for (const height of range(3, 8)) expect(await ask(height)).toEqual(answerAt(height))
  expect(requests).toEqual([[1], [2], range(3, 8), [3], [4], range(5, 7), range(8, 10)])
})

test('error: a call whose signal is aborted already does not receive a kept answer', async () => {
  const { ask, send } = startNode()
  for (const height of [1, 2, 3]) await ask(height)
  await expect(send([commit(4)], AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
})

interface Reply {
  readonly id: number
  readonly result: unknown
}

/**
 * Requests the commits of the heights 1 to 6 from a node over HTTP. `change` changes the list of replies to a request
 * with several calls.
 */
async function askOverHttp(change: (replies: readonly Reply[]) => readonly Reply[]) {
  const requests: number[] = []
  const fetch = async (_url: string, { body }: RequestInit) => {
    const given = JSON.parse(body as string) as Call | readonly Call[]
    const calls = Array.isArray(given) ? (given as readonly Call[]) : [given as Call]
    requests.push(calls.length)
    const replies = calls.map(({ id, params }): Reply => ({ id, ...resultAt(Number(params.height)) }))
    return { status: 200, json: async () => (Array.isArray(given) ? change(replies) : replies[0]) }
  }
  const { send } = createReadAhead(createHttpTransport('http://node', { fetch }))
  const answers: RpcAnswer[] = []
  for (const height of range(1, 6)) answers.push((await send([commit(height)]))[0] as RpcAnswer)
  return { requests, answers }
}

interface Call {
  readonly id: number
  readonly params: { readonly height: string }
}

const resultAt = (height: number): { readonly result: unknown } => answerAt(height) as { readonly result: unknown }
const heightOf = (answer: RpcAnswer): unknown =>
  'result' in answer
    ? (answer.result as { signed_header: { header: { height: number } } }).signed_header.header.height
    : 0

describe('a node over HTTP whose replies to several calls', () => {
  test('default: are in another order: each height gets its own commit', async () => {
    const { requests, answers } = await askOverHttp((replies) => replies.toReversed())
    expect(answers.map(heightOf)).toEqual(range(1, 6))
    expect(requests).toEqual([1, 1, 6])
  })

  test.each<[string, (replies: readonly Reply[]) => readonly Reply[]]>([
    ['lack one', (replies) => replies.slice(0, -1)],
    ['are none', () => []],
    ['have the same id', (replies) => replies.map((reply) => ({ ...reply, id: replies[0]?.id ?? 0 }))],
    [
      'have ids of earlier requests',
      (replies) => replies.map((reply) => ({ ...reply, id: reply.id - replies.length })),
    ],
  ])('error: %s: each commit is requested alone', async (_name, change) => {
    const { requests, answers } = await askOverHttp(change)
    expect(answers.map(heightOf)).toEqual(range(1, 6))
    expect(requests).toEqual([1, 1, 6, 1, 1, 1, 1])
  })

  test('behavior: come twice: each height gets its own commit', async () => {
    const { requests, answers } = await askOverHttp((replies) => [...replies, ...replies])
    expect(answers.map(heightOf)).toEqual(range(1, 6))
    expect(requests).toEqual([1, 1, 6])
  })
})
