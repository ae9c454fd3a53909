import { WebSocket } from 'ws'
import type { LoadResult } from './http-load.ts'

/** Sends `broadcast_tx_sync` over `connections` WebSockets with `window` calls open on each, until the time is over. */
export async function wsLoad(options: {
  readonly port: number
  readonly connections: number
  readonly window: number
  readonly seconds: number
  readonly next: () => Buffer | undefined
}): Promise<LoadResult> {
  const started = performance.now()
  const deadline = started + options.seconds * 1000
  const counts = { done: 0, failed: 0 }
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${options.port}/websocket`, { perMessageDeflate: false })
      let open = 0
      const fill = (): void => {
        while (open < options.window) {
          const tx = performance.now() < deadline ? options.next() : undefined
          if (tx === undefined) break
          open++
          const params = `{"tx":"${tx.toString('base64')}"}`
          socket.send(`{"jsonrpc":"2.0","id":1,"method":"broadcast_tx_sync","params":${params}}`)
        }
        if (open === 0) socket.close()
      }
      socket.on('open', fill)
      socket.on('error', reject)
      socket.on('close', () => resolve())
      socket.on('message', (data: Buffer) => {
        open--
        counts.done++
        if (!data.includes('"code":0')) counts.failed++
        fill()
      })
    })
  await Promise.all(Array.from({ length: options.connections }, one))
  return { ...counts, seconds: (performance.now() - started) / 1000 }
}
