import { once } from 'node:events'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { madeBlock, publishAll } from './made-blocks.ts'
import { createMemoryEvents } from './memory-events.ts'
import { startRpc } from './start-rpc.ts'

const TXS = "tm.event='Tx'"

interface Follower {
  readonly socket: WebSocket
  readonly lines: string[]
  readonly until: (done: () => boolean) => Promise<void>
}

async function follow(port: number, params: object): Promise<Follower> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/websocket`)
  const lines: string[] = []
  let wake = (): void => undefined
  socket.on('message', (data) => {
    lines.push(String(data))
    wake()
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params }))
  const until = async (done: () => boolean): Promise<void> => {
    while (!done()) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return { socket, lines, until }
}

interface TxFrame {
  readonly result: { readonly data?: { readonly value: { readonly TxResult: { height: string; index?: number } } } }
}

/** `height/index` of every received transaction. */
function places(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const place = (JSON.parse(line) as TxFrame).result?.data?.value.TxResult
    return place === undefined ? [] : [`${place.height}/${place.index ?? 0}`]
  })
}

function expected(sizes: readonly number[], after: number): string[] {
  return sizes.flatMap((txs, i) =>
    i + 1 <= after ? [] : Array.from({ length: txs }, (_, index) => `${i + 1}/${index}`),
  )
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a subscription with after_height', () => {
  test('behavior: has no gap and no duplicate, with any events published meanwhile', async () => {
    const sizes = fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat({ max: 12 }), fc.nat({ max: 12 }), async (all, stored, wanted) => {
        const events = createMemoryEvents()
        await using running = await startRpc({}, { events })
        const before = Math.min(stored, all.length)
        const after = Math.min(wanted, before)
        publishAll(events, all.slice(0, before), 0)
        const follower = await follow(running.port, { query: TXS, after_height: String(after) })
        // The rest of the blocks are published while the node still sends the stored blocks to the client.
        for (let i = before; i < all.length; i++) {
          events.publishBlock(madeBlock(i + 1, all[i] as number))
          if (i % 2 === 0) await nextTurn()
        }
        // The last block has one transaction, so an event of this block matches the query. The test waits for this
        // event.
        const sum = [...all, 1]
        publishAll(events, sum, all.length)
        const last = `"height":"${sum.length}"`
        await follower.until(() => follower.lines.some((line) => line.includes(last)))
        expect(places(follower.lines)).toEqual(expected(sum, after))
        follower.socket.terminate()
      }),
      { numRuns: 60 },
    )
  })

  test('behavior: more events than the connection can hold are sent as fast as the client reads', async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({ maxClientBytes: 65_536, websocketWriteBufferSize: 10 }, { events })
    const sizes = Array.from({ length: 300 }, () => 40)
    publishAll(events, sizes, 0)
    const follower = await follow(running.port, { query: TXS, after_height: 100 })
    await follower.until(() => places(follower.lines.slice(-1))[0] === '300/39')
    expect(places(follower.lines)).toEqual(expected(sizes, 100))
    follower.socket.terminate()
  })

  test('behavior: unsubscribing ends the catch-up in the middle', async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({ websocketWriteBufferSize: 10 }, { events })
    publishAll(
      events,
      Array.from({ length: 2000 }, () => 20),
      0,
    )
    const follower = await follow(running.port, { query: TXS, after_height: 0 })
    follower.socket.send('{"jsonrpc":"2.0","id":2,"method":"unsubscribe_all","params":{}}')
    const isAnswer = (line: string): boolean => line.includes('"id":2')
    await follower.until(() => follower.lines.some(isAnswer))
    const count = follower.lines.length
    events.publishBlock(madeBlock(2001, 3))
    follower.socket.send('{"jsonrpc":"2.0","id":3,"method":"health","params":{}}')
    await follower.until(() => follower.lines.some((line) => line.includes('"id":3')))
    expect(follower.lines.length).toBe(count + 1)
    expect(events.numClients()).toBe(0)
    follower.socket.terminate()
  })

  test.each([
    ['pruned heights', { query: TXS, after_height: '0' }, 'EVENTS_PRUNED: height 1 is gone'],
    ['another chain', { query: TXS, after_height: '1', chain_id: 'other' }, 'EVENTS_OTHER_CHAIN: '],
    [
      'a block of a chain before its reset',
      { query: TXS, after_height: '3', chain_id: 'golden-kv-1', block_hash: '0bad0bad' },
      'EVENTS_OTHER_CHAIN: the place to resume from names block 0BAD0BAD at height 3',
    ],
    [
      'a hash that is too short',
      { query: TXS, after_height: '2', block_hash: '0bad' },
      'block_hash must be 8 to 64 hex digits',
    ],
    [
      'a height ahead of the chain',
      { query: TXS, after_height: '10000000' },
      'EVENTS_AHEAD: height 10000000 has not been',
    ],
    ['events of rounds', { query: "tm.event='Vote'", after_height: '3' }, 'EVENTS_NOT_RESUMABLE: Vote'],
    ['a height below zero', { query: TXS, after_height: '-1' }, 'after_height must not be negative, but got -1'],
    ['a height that is none', { query: TXS, after_height: 'x' }, 'error converting json params to arguments'],
  ])('error: %s', async (_name, params, why) => {
    const events = createMemoryEvents()
    publishAll(events, [1, 1, 1, 1], 0)
    events.prune(3)
    await using running = await startRpc({}, { events })
    const follower = await follow(running.port, params)
    await follower.until(() => follower.lines.length > 0)
    expect(follower.lines[0]).toContain(why)
    expect(events.numClients()).toBe(0)
    follower.socket.terminate()
  })

  test('error: a height that is pruned while it is sent ends the subscription with a code', async () => {
    const events = createMemoryEvents()
    publishAll(
      events,
      Array.from({ length: 3000 }, () => 20),
      0,
    )
    await using running = await startRpc({ websocketWriteBufferSize: 10 }, { events })
    const follower = await follow(running.port, { query: TXS, after_height: '0' })
    await follower.until(() => follower.lines.length > 0)
    events.prune(3000)
    await follower.until(() => follower.lines.some((line) => line.includes('"error"')))
    expect(follower.lines.at(-1)).toMatch(/subscription was canceled \(reason: EVENTS_PRUNED: height \d+ is gone\)/)
    expect(events.numClients()).toBe(0)
    follower.socket.terminate()
  })

  test('behavior: a strict node ignores after_height', async () => {
    const events = createMemoryEvents()
    publishAll(events, [1, 1], 0)
    await using running = await startRpc({ strict: true }, { events })
    const follower = await follow(running.port, { query: TXS, after_height: '0' })
    await follower.until(() => follower.lines.length === 1)
    events.publishBlock(madeBlock(3, 1))
    await follower.until(() => follower.lines.length === 2)
    expect(places(follower.lines)).toEqual(['3/0'])
    follower.socket.terminate()
  })
})
