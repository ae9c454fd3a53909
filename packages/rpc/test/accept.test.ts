import { once } from 'node:events'
import { hashTx } from '@org/types'
import { ResponseCheckTx } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Mempool } from '../src/index.ts'
import { openSocket, sendRaw } from './raw.ts'
import { type RunningRpc, startRpc } from './start-rpc.ts'

const post = (body: string): string =>
  `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const callOf = (n: number): string =>
  `{"jsonrpc":"2.0","id":${n},"method":"broadcast_tx_sync","params":{"tx":"${Buffer.from([n]).toString('base64')}"}}`

/**
 * Returns the application's answer to transaction `n`. Depending on `n`, the answer comes at once or later, is an error
 * at once or later, or has text that is not ASCII.
 */
function answerTo(n: number): ResponseCheckTx | Promise<ResponseCheckTx> {
  if (n % 5 === 1) return new Promise((resolve) => setImmediate(() => resolve(ResponseCheckTx.create({ code: 7 }))))
  if (n % 5 === 2) throw new Error(`refused ${n}`)
  if (n % 5 === 3) return Promise.reject(new Error(`refused later ${n}`))
  return ResponseCheckTx.create(n % 5 === 4 ? { code: 1, log: 'pas assez d’été <', codespace: 'é' } : {})
}

function expected(n: number): string {
  const prefix = `{"jsonrpc":"2.0","id":${n},`
  const failed = (why: string): string =>
    `${prefix}"error":{"code":-32603,"message":"Internal error","data":"${why} ${n}"}}`
  if (n % 5 === 2) return failed('refused')
  if (n % 5 === 3) return failed('refused later')
  const hash = bytesToHex(hashTx(Uint8Array.of(n)))
  const [code, log, codespace] =
    n % 5 === 1 ? [7, '', ''] : n % 5 === 4 ? [1, 'pas assez d’été \\u003c', 'é'] : [0, '', '']
  return `${prefix}"result":{"code":${code},"data":"","log":"${log}","codespace":"${codespace}","hash":"${hash}"}}`
}

function start(checkTx: Mempool['checkTx'] = (tx) => answerTo(tx[0] as number)): Promise<RunningRpc> {
  const mempool: Mempool = {
    checkTx,
    reapMaxTxs: () => [],
    size: () => 0,
    sizeBytes: () => 0,
    flush: () => undefined,
  }
  return startRpc({}, { mempool })
}

const NUMBERS = Array.from({ length: 100 }, (_, n) => n)

/**
 * Splits received text into the bodies of its answers, in order. The `Content-Length` of each answer gives the length
 * of its body.
 */
function bodiesOf(text: string): string[] {
  const bodies: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\r\n\r\n', at) + 4
    const length = Number(/Content-Length: (\d+)/.exec(text.slice(at, end))?.[1])
    bodies.push(Buffer.from(text.slice(end, end + length), 'latin1').toString())
    at = end + length
  }
  return bodies
}

describe('answers to broadcast_tx_sync', () => {
  test('default: answers to pipelined calls on one connection have the order of the calls', async () => {
    await using running = await start()
    const calls = NUMBERS.map((n) => post(callOf(n))).join('')
    const { text } = await sendRaw(
      running.port,
      calls,
      (all) => all.split('HTTP/1.1 ').length > NUMBERS.length && all.endsWith('}'),
    )
    expect(bodiesOf(text)).toEqual(NUMBERS.map(expected))
  })

  test('behavior: calls made at once on one WebSocket are answered in their order', async () => {
    await using running = await start()
    const socket = new WebSocket(`ws://127.0.0.1:${running.port}/websocket`)
    await once(socket, 'open')
    const answers: string[] = []
    const all = new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        answers.push(String(data))
        if (answers.length === NUMBERS.length) resolve()
      })
    })
    for (const n of NUMBERS) socket.send(callOf(n))
    await all
    expect(answers).toEqual(NUMBERS.map(expected))
    socket.terminate()
  })

  test('behavior: answers from before a close are sent before the close', async () => {
    await using running = await start()
    const socket = new WebSocket(`ws://127.0.0.1:${running.port}/websocket`)
    await once(socket, 'open')
    const answers: string[] = []
    socket.on('message', (data) => answers.push(String(data)))
    // The application answers transactions 1 and 6 later than all other transactions.
    const numbers = [0, 1, 5, 6, 10]
    for (const n of numbers) socket.send(callOf(n))
    socket.close(1000)
    const [code] = await once(socket, 'close')
    expect(answers).toEqual(numbers.map(expected))
    expect(code).toBe(1000)
  })
})

test('behavior: calls of many connections in one turn are all answered', async () => {
  await using running = await start()
  const sockets = await Promise.all(Array.from({ length: 100 }, () => openSocket(running.port)))
  for (let round = 0; round < 3; round++) {
    const answers = sockets.map(async (socket) => ((await once(socket, 'data')) as [Buffer])[0].toString())
    for (const socket of sockets) socket.write(post(callOf(round * 5)))
    for (const answer of await Promise.all(answers)) expect(answer).toContain(expected(round * 5))
  }
  for (const socket of sockets) socket.destroy()
})

describe('a connection', () => {
  test('behavior: long and short answers keep their order', async () => {
    await using running = await start()
    const long = 'GET /genesis HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const bye = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    const { text, closed } = await sendRaw(running.port, [post(callOf(0)), long, post(callOf(5)), bye].join(''), 10_000)
    const marks = [expected(0), '"genesis_time"', expected(5), '"id":-1,"result":{}'].map((mark) => text.indexOf(mark))
    expect(marks).toEqual(marks.toSorted((a, b) => a - b))
    expect(marks[0]).toBeGreaterThan(0)
    expect(closed).toBe(true)
  })

  test('behavior: a client that does not read gets no further answers, and gets all of them once it reads', async () => {
    let calls = 0
    const log = 'x'.repeat(3000)
    await using running = await start(() => {
      calls++
      return ResponseCheckTx.create({ log })
    })
    const socket = await openSocket(running.port)
    socket.pause()
    const count = 8000
    socket.write(post(callOf(0)).repeat(count))
    let before = -1
    // The loop ends after 2,000 turns of the event loop in which the node did not call CheckTx. The node then waits
    // until the client reads.
    for (let turns = 0; turns < 2000 || calls === 0; turns++) {
      await new Promise((resolve) => setImmediate(resolve))
      if (calls !== before) turns = 0
      before = calls
    }
    expect(calls).toBeLessThan(count)
    let seen = 0
    let rest = ''
    const all = new Promise<void>((resolve) => {
      socket.on('data', (data: Buffer) => {
        const parts = (rest + data.toString('latin1')).split('HTTP/1.1 200 OK')
        seen += parts.length - 1
        rest = parts.at(-1)?.slice(-14) ?? ''
        if (seen === count) resolve()
      })
    })
    socket.resume()
    await all
    expect(calls).toBe(count)
    socket.destroy()
  })
})
