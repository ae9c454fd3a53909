import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { publishAll, txPlaces } from './made-blocks.ts'
import { createMemoryEvents, hashText, type MemoryEvents } from './memory-events.ts'
import { type RunningRpc, startRpc } from './start-rpc.ts'

const TXS = encodeURIComponent("tm.event='Tx'")

interface Answer {
  readonly result: {
    readonly after: string
    readonly query: string
    readonly events: readonly { readonly id: string; readonly data: { readonly type: string } }[]
  }
}

async function poll({ port }: RunningRpc, params: string): Promise<Answer['result']> {
  const response = await fetch(`http://127.0.0.1:${port}/events?query=${TXS}&${params}`)
  expect(response.status).toBe(200)
  return ((await response.json()) as Answer).result
}

interface Source {
  /** The `id` of each received event, in order, shortened to height and index, for example `3-1`. */
  readonly ids: string[]
  readonly text: () => string
  readonly until: (done: () => boolean) => Promise<void>
  readonly close: () => void
}

async function source({ port }: RunningRpc, params: string, lastId?: string): Promise<Source> {
  const controller = new AbortController()
  const headers = { accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': at(lastId) }) }
  const url = `http://127.0.0.1:${port}/events?query=${TXS}&${params}`
  const response = await fetch(url, { headers, signal: controller.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  const ids: string[] = []
  let text = ''
  let seen = 0
  return {
    ids,
    text: () => text,
    until: async (done) => {
      while (!done()) {
        const { value, done: ended } = await reader.read()
        if (ended) throw new Error('the stream ended')
        text += value
        const whole = text.lastIndexOf('\n\n')
        for (const [, id] of text.slice(seen, whole + 2).matchAll(/id: ([0-9-]+):[0-9A-F]{8}@golden-kv-1\ndata: /g))
          ids.push(id as string)
        seen = Math.max(seen, whole + 2)
      }
    },
    close: () => controller.abort(),
  }
}

async function idle(events: MemoryEvents): Promise<void> {
  while (events.numClients() > 0) await new Promise((resolve) => setImmediate(resolve))
}

/** Returns a place in the recorded chain, written as text with the hash of the block and the chain id. */
const at = (place: string): string => `${place}${hashOf(place)}@golden-kv-1`
const hashOf = (place: string): string => (place === '0' ? '' : `:${hashText(Number.parseInt(place, 10))}`)

describe('/events as a long poll', () => {
  test('default: returns stored events, then new events, each once', async () => {
    const events = createMemoryEvents()
    publishAll(events, [2, 0, 1])
    await using running = await startRpc({}, { events })
    const stored = await poll(running, 'after=0')
    expect(stored).toMatchObject({ query: "tm.event='Tx'", after: at('3') })
    expect(stored.events.map(({ id }) => id)).toEqual(['1-1', '1-2', '3-1'].map(at))
    expect(stored.events[0]?.data.type).toBe('tendermint/event/Tx')
    const coming = poll(running, `after=${stored.after}`)
    while (events.numClients() === 0) await new Promise((resolve) => setImmediate(resolve))
    publishAll(events, [2, 0, 1, 0, 2], 3)
    expect((await coming).events.map(({ id }) => id)).toEqual(['5-1', '5-2'].map(at))
    expect(events.numClients()).toBe(0)
  })

  test('behavior: after a cut answer the next answer continues inside the block', async () => {
    const events = createMemoryEvents()
    publishAll(events, [3, 4])
    await using running = await startRpc({}, { events })
    const all: string[] = []
    let after = '0'
    while (all.length < 7) {
      const { events: some, after: next } = await poll(running, `after=${after}&limit=2`)
      expect(some.length).toBeLessThanOrEqual(2)
      all.push(...some.map(({ id }) => id))
      after = next
    }
    expect(all).toEqual(['1-1', '1-2', '1-3', '2-1', '2-2', '2-3', '2-4'].map(at))
  })

  test('behavior: without events in time the answer is empty', async () => {
    const events = createMemoryEvents()
    publishAll(events, [1, 0])
    await using running = await startRpc({}, { events })
    expect(await poll(running, 'after=1&wait=0')).toMatchObject({ after: at('2'), events: [] })
    expect(await poll(running, 'wait=1')).toMatchObject({ after: at('2'), events: [] })
    expect(events.numClients()).toBe(0)
  })

  test.each([
    ['no query', '/events', 400, 'a query is needed'],
    ['a broken query', '/events?query=x', 400, 'failed to parse query: offset'],
    ['events of rounds', `/events?query=${encodeURIComponent("tm.event='Vote'")}`, 400, 'EVENTS_NOT_RESUMABLE'],
    ['pruned heights', `/events?query=${TXS}&after=0`, 410, 'EVENTS_PRUNED: height 1 is gone'],
    ['a place that is none', `/events?query=${TXS}&after=x`, 400, 'after must be a height, or the id of an event'],
    [
      'another chain',
      `/events?query=${TXS}&after=1@other`,
      410,
      'EVENTS_OTHER_CHAIN: the place to resume from belongs to the chain',
    ],
    [
      'a block of a chain before its reset',
      `/events?query=${TXS}&after=2:0bad0bad@golden-kv-1`,
      410,
      `EVENTS_OTHER_CHAIN: the place to resume from names block 0BAD0BAD at height 2, but this node has block ${hashText(2)}`,
    ],
    [
      'a hash that is too short',
      `/events?query=${TXS}&after=1:0bad@golden-kv-1`,
      400,
      'after must be a height, or the id of an event, but got 1:0bad@golden-kv-1',
    ],
    [
      'a height ahead of the chain',
      `/events?query=${TXS}&after=99999999`,
      400,
      'EVENTS_AHEAD: height 99999999 has not been',
    ],
    ['a wait that is none', `/events?query=${TXS}&wait=x`, 400, 'wait must be a whole number'],
  ])('error: %s', async (_name, path, status, why) => {
    const events = createMemoryEvents()
    publishAll(events, [1, 1])
    events.prune(2)
    await using running = await startRpc({}, { events })
    const response = await fetch(`http://127.0.0.1:${running.port}${path}`)
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(why)
  })

  test('error: refuses more clients than may subscribe', async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({ maxSubscriptionClients: 1 }, { events })
    const first = await source(running, '')
    await first.until(() => first.text().includes('id: 0'))
    const response = await fetch(`http://127.0.0.1:${running.port}/events?query=${TXS}`)
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('max_subscription_clients 1 reached')
    first.close()
    await idle(events)
  })

  test('behavior: a strict node has no such path, and the listing never shows it', async () => {
    const events = createMemoryEvents()
    await using strict = await startRpc({ strict: true }, { events })
    expect((await fetch(`http://127.0.0.1:${strict.port}/events?query=${TXS}`)).status).toBe(404)
    await using running = await startRpc({}, { events })
    expect(await (await fetch(`http://127.0.0.1:${running.port}/`)).text()).not.toContain('events')
  })
})

test.each([
  ['a height alone', '2'],
  ['a height and a chain', '2@golden-kv-1'],
  ['a height and the whole hash of its block, in any case', `2:${hashText(2).repeat(8).toLowerCase()}`],
  ['a block that is not stored any more', '1:0bad0bad@golden-kv-1'],
])('behavior: events are resumed from %s', async (_name, place) => {
  const events = createMemoryEvents()
  publishAll(events, [1, 1, 1])
  events.prune(2)
  await using running = await startRpc({}, { events })
  const { events: found } = await poll(running, `after=${place}&wait=0`)
  expect(found.at(-1)?.id).toBe(at('3-1'))
})

test('behavior: a chain id of any characters reads back from an id of an event', async () => {
  const events = createMemoryEvents('my chain+1@é\n%')
  publishAll(events, [1, 1])
  await using running = await startRpc({}, { events })
  const { after } = await poll(running, 'after=1')
  expect(after).toBe(`2:${hashText(2)}@${encodeURIComponent('my chain+1@é\n%')}`)
  for (const text of [after, encodeURIComponent(after)])
    expect(await poll(running, `after=${text}&wait=0`)).toMatchObject({ after, events: [] })
})

describe('/events as server-sent events', () => {
  test('behavior: events have no gap and no duplicate over any number of connections', async () => {
    const sizes = fc.array(fc.nat({ max: 20 }), { minLength: 2, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(sizes, fc.array(fc.nat({ max: 25 }), { maxLength: 4 }), async (all, cuts) => {
        const events = createMemoryEvents()
        await using running = await startRpc({}, { events })
        const sum = [...all, 1]
        publishAll(events, sum.slice(0, 1))
        const got: string[] = []
        let last: string | undefined
        for (const cut of cuts) {
          const one = await source(running, 'after=0', last)
          if (got.length + cut < txPlaces(sum.slice(0, events.published())).length)
            await one.until(() => one.ids.length > cut)
          if (events.published() < sum.length - 1)
            publishAll(events, sum.slice(0, events.published() + 1), events.published())
          one.close()
          got.push(...one.ids)
          last = one.ids.at(-1) ?? last
        }
        const rest = await source(running, 'after=0', last)
        publishAll(events, sum, events.published())
        await rest.until(() => rest.ids.at(-1) === `${sum.length}-1`)
        got.push(...rest.ids)
        rest.close()
        await idle(events)
        expect(got).toEqual(txPlaces(sum))
      }),
      { numRuns: 40 },
    )
  })

  test('behavior: the data of an event equals the data that a subscription sends', async () => {
    const events = createMemoryEvents()
    publishAll(events, [1])
    await using running = await startRpc({}, { events })
    const one = await source(running, 'after=0')
    await one.until(() => one.ids.length === 1)
    const data = /data: (.*)\n\n/.exec(one.text())?.[1] as string
    expect(JSON.parse(data)).toMatchObject({
      query: "tm.event='Tx'",
      data: { type: 'tendermint/event/Tx', value: { TxResult: { height: '1' } } },
      events: { 'tm.event': ['Tx'] },
    })
    one.close()
    await idle(events)
  })

  test('error: a block that is pruned while it is sent ends the stream, with a code', async () => {
    const events = createMemoryEvents()
    publishAll(
      events,
      Array.from({ length: 3000 }, () => 20),
    )
    await using running = await startRpc({}, { events })
    const one = await source(running, 'after=0')
    events.prune(3000)
    await one.until(() => one.text().includes('event: failed'))
    expect(one.text()).toMatch(/event: failed\ndata: \{.*EVENTS_PRUNED: height \d+ is gone.*\}\n\n$/)
    await idle(events)
  })

  test('error: a node that stops ends the stream', async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({}, { events })
    const one = await source(running, '')
    await one.until(() => one.text().includes('id: 0'))
    events.stop()
    await one.until(() => one.text().includes('event: failed'))
    expect(one.text()).toContain('CometBFT exited')
  })

  test('behavior: a client that reads nothing delays no other client', async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({}, { events })
    const lazy = connect({ port: running.port, host: '127.0.0.1' })
    await once(lazy, 'connect')
    lazy.pause()
    lazy.write(`GET /events?query=${TXS}&after=0 HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n`)
    publishAll(
      events,
      Array.from({ length: 500 }, () => 100),
    )
    const eager = await source(running, 'after=0')
    await eager.until(() => eager.ids.at(-1) === '500-100')
    expect(eager.ids.length).toBe(50_000)
    eager.close()
    lazy.destroy()
    await idle(events)
  })

  test('behavior: the stream is the same in another kind of server', async () => {
    const events = createMemoryEvents()
    publishAll(events, [2])
    await using running = await startRpc({}, { events })
    const request = new Request(`http://node/events?query=${TXS}&after=0`, { headers: { accept: 'text/event-stream' } })
    const response = await running.rpc.app.fetch(request)
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('id: 1-2')) text += (await reader.read()).value
    publishAll(events, [2, 1], 1)
    while (!text.includes('id: 2-1')) text += (await reader.read()).value
    await reader.cancel()
    // The client has left. The node detects this only when the next block is published.
    publishAll(events, [2, 1, 1], 2)
    await idle(events)
  })
})
