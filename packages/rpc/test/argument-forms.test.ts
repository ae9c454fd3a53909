import { once } from 'node:events'
import { hexToBytes, utf8ToBytes } from '@org/types/bytes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Args, argumentsOfJson } from '../src/call/arguments.ts'
import type { Route } from '../src/call/route.ts'
import { ROUTES } from '../src/operations/table.ts'
import { type RunningRpc, startRpc } from './start-rpc.ts'

const BLOCK_HASH = '6475BA7B7B0587D9723F6BF52522B7984BAC78587F7D320EF8A505D9964C3A4C'
const TX_HASH = '57D835FBBA0DBF922D8A2EDA56922C9B24E7760927F245A7684A736C4769DB8A'
const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

/** A call in a form that only the service document has, and the same call in a form of v0.38. */
const SAME: readonly (readonly [name: string, method: string, given: unknown, reference: unknown])[] = [
  ['a hash as 0x and hex', 'block_by_hash', { hash: `0x${BLOCK_HASH}` }, { hash: base64(BLOCK_HASH) }],
  ['the same by position', 'block_by_hash', [`0x${BLOCK_HASH}`], [base64(BLOCK_HASH)]],
  ['0X and small digits', 'tx', { hash: `0X${TX_HASH.toLowerCase()}` }, { hash: base64(TX_HASH) }],
  ['0x where v0.38 takes hex', 'header_by_hash', { hash: `0x${BLOCK_HASH}` }, { hash: BLOCK_HASH }],
  ['no height in an empty list', 'block', [], {}],
  ['nothing in an empty list', 'validators', [], {}],
  ['a height without page and size', 'validators', ['53'], { height: '53' }],
  ['null without page and size', 'validators', [null], {}],
  ['a hash without `prove`', 'tx', [base64(TX_HASH)], { hash: base64(TX_HASH) }],
  ['a lowest height without a highest', 'blockchain', ['70'], { minHeight: '70' }],
  ['true as a text', 'tx', [base64(TX_HASH), 'true'], [base64(TX_HASH), true]],
  ['false as a text', 'tx', { hash: base64(TX_HASH), prove: 'false' }, { hash: base64(TX_HASH) }],
  ['a height as a number', 'block', [53], ['53']],
  ['a height by name as a number', 'block', { height: 53 }, { height: '53' }],
  ['all as numbers', 'validators', [53, 1, 30], ['53', '1', '30']],
  ['heights of a range as numbers', 'blockchain', [1, 3], ['1', '3']],
]

/** Calls that are refused with the reference's words. */
const REFUSED: readonly (readonly [name: string, method: string, params: unknown, words: string])[] = [
  ['a list without the hash', 'tx', [], 'expected 2 parameters ([hash prove]), got 0'],
  ['a list without the query', 'tx_search', [], 'expected 5 parameters'],
  ['a list without the transaction', 'broadcast_tx_sync', [], 'expected 1 parameters ([tx]), got 0'],
  ['one element too many', 'block', ['1', '2'], 'expected 1 parameters ([height]), got 2'],
  ['0x without hex', 'tx', { hash: '0xzzz' }, 'illegal base64 data'],
  ['0x with half a byte', 'header_by_hash', { hash: '0x123' }, 'encoding/hex: invalid byte'],
  ['a broken number', 'block', { height: 5.5 }, 'expected string'],
  ['a number beyond 64 bits', 'block', { height: 2 ** 64 }, 'expected string'],
  ['another text for `prove`', 'tx', [base64(TX_HASH), 'yes'], 'into Go value of type bool'],
]

async function post({ port }: RunningRpc, method: string, params: unknown): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).text()
}

async function overWebSocket({ port }: RunningRpc, method: string, params: unknown): Promise<string> {
  using closing = new DisposableStack()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/websocket`)
  closing.defer(() => socket.close())
  await once(socket, 'open')
  const answered = once(socket, 'message')
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  return String((await answered)[0])
}

let running: RunningRpc
let strict: RunningRpc
beforeAll(async () => {
  running = await startRpc()
  strict = await startRpc({ strict: true })
})
afterAll(() => Promise.all([running.listener.stop(), strict.listener.stop()]))

describe.each([
  ['POST', post],
  ['WebSocket', overWebSocket],
])('arguments of the service document over %s', (_name, call) => {
  test.each(SAME)('default: %s, %s', async (_form, method, given, reference) => {
    const answer = await call(running, method, given)
    expect(answer).toContain('"result":')
    expect(answer).toBe(await call(running, method, reference))
  })

  test.each(SAME)('behavior: a strict node refuses %s, %s', async (_form, method, given) => {
    expect(await call(strict, method, given)).toContain('error converting json params to arguments')
  })

  test.each(REFUSED)('error: %s, %s', async (_form, method, params, words) => {
    const answer = await call(running, method, params)
    expect(answer).toContain(words)
    expect(answer).toBe(await call(strict, method, params))
  })
})

describe('bytes', () => {
  const read = (route: Route, params: unknown): Args => argumentsOfJson(route, JSON.stringify(params), false)

  test('default: a transaction and the data of a query as 0x and hex', () => {
    expect(read(ROUTES.broadcast_tx_sync, { tx: '0x6e313d31' })).toEqual({ tx: utf8ToBytes('n1=1') })
    expect(read(ROUTES.abci_query, ['', '0x6b31'])).toEqual({
      path: '',
      data: utf8ToBytes('k1'),
      height: 0n,
      prove: false,
    })
  })

  test('behavior: text that is base64 stays base64, as in v0.38', () => {
    expect(read(ROUTES.broadcast_tx_sync, { tx: '0x12' })).toEqual({ tx: hexToBytes('D31D76') })
    expect(read(ROUTES.tx, { hash: '0xAB' }).hash).toEqual(argumentsOfJson(ROUTES.tx, '{"hash":"0xAB"}', true).hash)
  })
})
