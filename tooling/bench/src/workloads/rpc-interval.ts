import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { blockIntervals } from '../block-times.ts'
import { createAnswerReader } from '../load/http-answer.ts'
import { getRequest } from '../load/http-load.ts'
import { call, heightOf, makeTransactions, waitForHeight } from '../rpc.ts'
import { makeHome, startNode } from '../subject.ts'
import { quantile } from '../table.ts'
import type { Measurement, Workload } from './workload.ts'

const CLIENTS = 64

/**
 * Sends one request after the other over one connection until the given time. Returns the milliseconds of each
 * request.
 */
function hammer(port: number, requests: readonly Buffer[], untilMs: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const took: number[] = []
    const reader = createAnswerReader(false)
    // One buffer is used for all reads, so that this process leaves more processor time to the node.
    const onread = {
      buffer: Buffer.alloc(128 * 1024),
      callback: (size: number, data: Uint8Array) => onData(Buffer.from(data.buffer, data.byteOffset, size)),
    }
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread })
    let sent = 0
    const next = (): void => {
      if (performance.now() >= untilMs) {
        socket.destroy()
        resolve(took)
        return
      }
      sent = performance.now()
      socket.write(requests[took.length % requests.length] as Buffer)
    }
    socket.on('connect', next)
    socket.on('error', reject)
    socket.on('close', () => resolve(took))
    const onData = (data: Buffer): boolean => {
      if (!reader.push(data)) return true
      took.push(performance.now() - sent)
      if (reader.status()) next()
      else reject(new Error('an answer was an error'))
      return true
    }
  })
}

async function fill(port: number, count: number): Promise<number> {
  const before = await heightOf(port)
  const transactions = makeTransactions(count, 250, 'i')
  for (let at = 0; at < count; at += 100)
    await Promise.all(
      transactions.slice(at, at + 100).map((tx) => call(port, 'broadcast_tx_async', { tx: tx.toString('base64') })),
    )
  await waitForHeight(port, before + 3)
  return before
}

/** Measures the time between blocks while clients send expensive requests. */
export const rpcInterval: Workload = {
  name: 'rpc-interval',
  about: `block interval p99 without clients, and while ${CLIENTS} clients call /block_results and tx_search; p99 of these calls`,
  run: async ({ subject, directory, smoke }): Promise<readonly Measurement[]> => {
    const node = await startNode(subject, await makeHome(subject, join(directory, 'home')))
    try {
      const port = node.rpcPort
      await waitForHeight(port, 5)
      const filled = await fill(port, smoke ? 200 : 2000)
      const seconds = smoke ? 2 : 15
      const idleFrom = await heightOf(port)
      await sleep(seconds * 1000)
      const idleTo = await heightOf(port)
      const idle = await blockIntervals(port, idleFrom, idleTo)
      const search = encodeURIComponent(`"app.creator='Cosmoshi Netowoko'"`)
      const requests = [0, 1, 2, 3].flatMap((page) => [
        getRequest(`/block_results?height=${filled + page}`),
        getRequest(`/tx_search?query=${search}&per_page=30&page=${page + 1}`),
      ])
      const until = performance.now() + seconds * 1000
      const took = await Promise.all(
        Array.from({ length: CLIENTS }, (_, i) =>
          hammer(port, [...requests.slice(i % requests.length), ...requests.slice(0, i % requests.length)], until),
        ),
      )
      const busy = await blockIntervals(port, idleTo, await heightOf(port))
      const all = took.flat()
      return [
        { metric: 'block interval p99, idle', value: quantile(idle, 0.99), unit: 'ms' },
        { metric: `block interval p99, ${CLIENTS} clients`, value: quantile(busy, 0.99), unit: 'ms' },
        { metric: `block interval median, ${CLIENTS} clients`, value: quantile(busy, 0.5), unit: 'ms' },
        { metric: `RPC p99, ${CLIENTS} clients`, value: quantile(all, 0.99), unit: 'ms' },
        { metric: `RPC answers, ${CLIENTS} clients`, value: all.length / seconds, unit: '/s' },
      ]
    } finally {
      await node.stop()
    }
  },
}
