import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { EventItem } from '../src/index.ts'
import { createMemoryEvents } from './memory-events.ts'
import { startRpc } from './start-rpc.ts'

const CLIENTS = 40
const QUERY = "tm.event='NewBlockEvents'"

test('behavior: an event is written as JSON once, for any number of subscribers with any ids', async () => {
  const events = createMemoryEvents()
  await using running = await startRpc({}, { events })
  let waiting = CLIENTS
  let answered = (): void => undefined
  const all = await Promise.all(
    Array.from({ length: CLIENTS }, async (_, i) => {
      const socket = new WebSocket(`ws://127.0.0.1:${running.port}/websocket`)
      const messages: string[] = []
      socket.on('message', (data) => {
        messages.push(String(data))
        waiting--
        if (waiting === 0) answered()
      })
      await once(socket, 'open')
      const id = i % 4
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'subscribe', params: { query: QUERY } }))
      return { socket, messages, id }
    }),
  )
  const settle = (count: number): Promise<void> =>
    new Promise((resolve) => {
      waiting += count
      answered = resolve
      if (waiting === 0) resolve()
    })
  await settle(0)
  let written = 0
  const item: EventItem = {
    data: { type: 'NewBlockEvents', height: 7, events: [], numTxs: 0 },
    get events() {
      written++
      return { 'tm.event': ['NewBlockEvents'] }
    },
  }
  const settled = settle(CLIENTS)
  events.publish(item)
  await settled
  expect(written).toBe(1)
  for (const { socket, messages, id } of all) {
    expect(JSON.parse(messages[1] as string)).toMatchObject({ id, result: { query: QUERY } })
    socket.terminate()
  }
})
