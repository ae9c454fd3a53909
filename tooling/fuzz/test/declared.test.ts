import type { Exchange } from '@org/golden'
import { describe, expect, test } from 'vitest'
import { declaredIn } from '../src/rpc/declared.ts'
import type { Answer } from '../src/rpc/node.ts'

const SEARCHES = 'Every condition of a search counts'
const CLOSES = 'Close frames of WebSockets'

describe('searches', () => {
  const entry = (height: number, index = 0) => ({ hash: `H${height}/${index}`, height: String(height), tx: 'YQ==' })
  const found = (...txs: readonly ReturnType<typeof entry>[]) => ({ txs, total_count: String(txs.length) })
  const answer = (result: unknown): Answer => ({
    status: 200,
    body: JSON.stringify({ jsonrpc: '2.0', id: -1, result }),
  })
  const section = (query: string, wanted: unknown, got: unknown, more = '') => {
    const path = `/tx_search?query=${encodeURIComponent(`"${query}"`)}${more}`
    const exchange: Exchange = { id: '', run: '', transport: 'uri', request: { path }, response: {} }
    return declaredIn({ exchange, wanted: answer(wanted), got: answer(got), strict: false })
  }
  const query = "tm.event='Tx' AND tx.height>1"

  test('default: another list of results is a declared difference for queries of the declared form', () => {
    expect(section(query, found(), found(entry(2), entry(3)))).toBe(SEARCHES)
    expect(section(query, found(entry(2)), found())).toBe(SEARCHES)
    expect(section(query, found(), found(entry(3), entry(2)), '&order_by="desc"')).toBe(SEARCHES)
  })

  test.each([
    ['a query for one height', 'tx.height=5', found(entry(5)), found()],
    ['another field of a transaction', query, found(entry(2)), found({ ...entry(2), tx: 'Yg==' }, entry(3))],
    ['another order', query, found(), found(entry(3), entry(2))],
    ['a transaction twice', query, found(entry(2)), found(entry(2), entry(2))],
    ['a count below the hits', query, found(), { ...found(entry(2)), total_count: '0' }],
    ['no results and no reason', query, found(entry(2)), { txs: null }],
  ])('error: %s is a difference', (_name, asked, wanted, got) => {
    expect(section(asked, wanted, got)).toBeUndefined()
  })
})

describe('close frames', () => {
  const payload = (code: number, text = ''): Buffer =>
    Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(text, 'latin1')])
  const section = (sent: Buffer | undefined, wanted: Answer, got: Answer) => {
    const frame = sent === undefined ? 'x' : { base64: sent.toString('base64') }
    const request = { path: '/websocket', frames: [frame], opcode: sent === undefined ? 11 : 8 }
    const exchange: Exchange = { id: '', run: '', transport: 'ws', request, response: {} }
    return declaredIn({ exchange, wanted, got, strict: false })
  }
  const close = (code: number | null, reason = '', frames: readonly string[] = []): Answer => ({
    frames,
    close: { code, reason },
  })

  test.each([
    ['a text of the protocol', undefined, close(1002, 'bad opcode 11'), close(1002)],
    ['the text of the client', payload(1000, 'bye'), close(1000), close(1000, 'bye')],
    ['a code that may not be sent', payload(1006), close(1002, 'bad close code 1006'), close(1002)],
    ['one byte', Buffer.from([3]), close(null), close(1002)],
  ])('default: a difference in the close frame is declared: %s', (_name, sent, wanted, got) => {
    expect(section(sent, wanted, got)).toBe(CLOSES)
  })

  test.each([
    ['another code', payload(1000, 'bye'), close(1000), close(1001, 'bye')],
    ['another text', payload(1000, 'bye'), close(1000), close(1000, 'see you')],
    ['a frame before it', payload(1000, 'bye'), close(1000), close(1000, 'bye', ['{}'])],
    ['a close frame for an ordinary one', undefined, close(1000, 'bye'), close(1002)],
    ['the wrong code for a frame against the protocol', undefined, close(1002, 'bad opcode 11'), close(1011)],
  ])('error: %s is no declared difference', (_name, sent, wanted, got) => {
    expect(section(sent, wanted, got)).toBeUndefined()
  })
})
