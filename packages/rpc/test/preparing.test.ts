import { expect, test } from 'vitest'
import { ROUTES, type RpcListener } from '../src/index.ts'
import type { Peers, ValidatorIdentity } from '../src/ports/index.ts'
import { createPreparingServer } from '../src/server.ts'
import { createDumpPorts } from './dump-ports.ts'

const PROGRESS = 'state sync: restoring the snapshot of height 12: 1 of 3 chunks, from 2 peers'

interface Answer {
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string; readonly data: string }
}

/** The RPC of a node that restores a snapshot. */
async function startPreparing(unsafe = false): Promise<{ readonly url: string; readonly listener: RpcListener }> {
  const { genesis, peers, validator } = createDumpPorts('kvstore-single', { indexing: true })
  const server = createPreparingServer({
    preparing: {
      progress: () => PROGRESS,
      genesis: genesis as NonNullable<typeof genesis>,
      peers: peers as Peers,
      validator: validator as ValidatorIdentity,
    },
    options: { laddr: 'tcp://127.0.0.1:0', unsafe },
  })
  const listener = await server.listen()
  return { url: `http://127.0.0.1:${/\d+$/.exec(listener.addresses[0] ?? '')?.[0]}`, listener }
}

async function call(url: string, method: string): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} })
  return (await (
    await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  ).json()) as Answer
}

test('default: a node without a chain answers what it is and what it does; it is alive and not ready', async () => {
  const { url, listener } = await startPreparing()
  const probe = async (path: string) => {
    const answer = await fetch(`${url}${path}`)
    return [answer.status, await answer.text()]
  }
  expect(await probe('/livez')).toEqual([200, 'alive\n'])
  expect(await probe('/readyz')).toEqual([503, `${PROGRESS}\n`])
  expect(await probe('/events')).toEqual([503, `${PROGRESS}\n`])
  expect((await call(url, 'health')).result).toEqual({})
  // A node of the reference shows these values while it restores a snapshot.
  const nothing = { latest_block_height: '0', latest_block_hash: '', latest_block_time: '1970-01-01T00:00:00Z' }
  expect((await call(url, 'status')).result).toMatchObject({
    sync_info: { ...nothing, earliest_block_height: '0', catching_up: true },
    validator_info: { voting_power: '0' },
  })
  expect((await call(url, 'genesis')).result).toHaveProperty('genesis.chain_id')
  expect((await call(url, 'net_info')).result).toHaveProperty('listening', true)
  await listener.stop()
})

test('error: every other operation is refused with the progress, also over a WebSocket', async () => {
  const { url, listener } = await startPreparing()
  const about = ['health', 'status', 'net_info', 'genesis', 'genesis_chunked']
  const others = Object.values(ROUTES).filter(({ name, unsafe }) => unsafe !== true && !about.includes(name))
  expect(others.length).toBeGreaterThan(20)
  for (const { name, websocketOnly } of others) {
    if (websocketOnly === true) continue
    const { error, result } = await call(url, name)
    expect([name, result, error?.data]).toEqual([name, undefined, expect.stringMatching(/^RPC_NOT_READY: .*1 of 3/)])
  }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`)
  const answer = new Promise<string>((resolve) =>
    socket.addEventListener('message', ({ data }) => resolve(String(data)), { once: true }),
  )
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event='Tx'" } }))
  expect(await answer).toContain('RPC_NOT_READY')
  socket.close()
  await listener.stop()
})

test('behavior: an operator may add peers, and only if unsafe operations are enabled', async () => {
  const [safe, unsafe] = [await startPreparing(), await startPreparing(true)]
  expect((await call(safe.url, 'dial_peers')).error?.message).toBe('Method not found')
  expect((await call(unsafe.url, 'dial_peers')).error?.data).not.toContain('RPC_NOT_READY')
  expect((await call(unsafe.url, 'unsafe_flush_mempool')).error?.data).toContain('RPC_NOT_READY')
  await safe.listener.stop()
  await unsafe.listener.stop()
})
