import { connect } from 'node:net'
import { clientFrame, HANDSHAKE } from './ws-answer.ts'

// A process of its own: subscribes over many bare WebSockets, and tells on its output what came and when. It reads the
// head of each message only, as it must take less than what it measures.

/** What one process does: `{ port, groups: [{ query, count }] }` as JSON, its only argument. */
export interface EventLoad {
  readonly port: number
  readonly groups: readonly { readonly query: string; readonly count: number }[]
}

/** What came for one query: each event's height, and when, in milliseconds since 1970. */
export interface Arrivals {
  readonly query: string
  readonly heights: readonly number[]
  readonly times: readonly number[]
  readonly bytes: number
  /** Subscriptions that ended early, and heights that were left out of an unbroken row. */
  readonly dropped: number
}

interface Counted {
  readonly query: string
  readonly heights: number[]
  readonly times: number[]
  bytes: number
  dropped: number
}

/** Enough of a message to see the height that it is of. */
const HEAD = 420
/** One for all: a read is used up before the next. */
const buffer = Buffer.alloc(256 * 1024)

function lengthOf(head: readonly number[]): number {
  const short = (head[1] as number) & 0x7f
  if (short < 126) return short
  return head.slice(2).reduce((sum, byte) => sum * 256 + byte, 0)
}

function subscribe(port: number, counted: Counted, onReady: () => void, isOver: () => boolean): void {
  const isBlocks = counted.query.includes('NewBlock')
  let isOpen = false
  let isSubscribed = false
  let lastHeight = 0
  const head: number[] = []
  let left = 0
  let text = ''
  let opcode = 0

  const onMessage = (): void => {
    if (opcode === 9) socket.write(clientFrame(10, Buffer.alloc(0)))
    if (opcode !== 1) return
    if (!isSubscribed) {
      isSubscribed = true
      onReady()
      return
    }
    const height = Number(/"height":"(\d+)"/.exec(text)?.[1] ?? Number.NaN)
    if (!text.includes('"result"') || Number.isNaN(height)) {
      counted.dropped++
      return
    }
    if (isBlocks && lastHeight > 0) counted.dropped += height - lastHeight - 1
    lastHeight = height
    counted.heights.push(height)
    counted.times.push(performance.timeOrigin + performance.now())
  }

  const onFrames = (data: Buffer, from: number): void => {
    let at = from
    while (at < data.length) {
      if (left > 0) {
        const taken = Math.min(left, data.length - at)
        if (text.length < HEAD) text += data.toString('latin1', at, at + Math.min(taken, HEAD - text.length))
        at += taken
        left -= taken
      } else {
        head.push(data[at++] as number)
        if (head.length < 2) continue
        const short = (head[1] as number) & 0x7f
        if (head.length < (short < 126 ? 2 : short === 126 ? 4 : 10)) continue
        opcode = (head[0] as number) & 0x0f
        left = lengthOf(head)
        counted.bytes += left
        head.length = 0
        text = ''
      }
      if (left === 0 && head.length === 0) onMessage()
    }
  }

  const onread = {
    buffer,
    callback: (size: number, bytes: Uint8Array): boolean => {
      const data = Buffer.from(bytes.buffer, bytes.byteOffset, size)
      if (isOpen) onFrames(data, 0)
      else {
        const end = data.indexOf('\r\n\r\n')
        if (end < 0 || !data.toString('latin1', 0, 12).endsWith('101')) throw new Error('no WebSocket was opened')
        isOpen = true
        const call = { jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: counted.query } }
        socket.write(clientFrame(1, Buffer.from(JSON.stringify(call))))
        onFrames(data, end + 4)
      }
      return true
    },
  }
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread })
  socket.on('connect', () => socket.write(HANDSHAKE))
  socket.on('error', () => undefined)
  socket.on('close', () => {
    if (!isOver()) counted.dropped++
  })
}

function main({ port, groups }: EventLoad): void {
  const counts = groups.map(({ query }): Counted => ({ query, heights: [], times: [], bytes: 0, dropped: 0 }))
  const all = groups.reduce((sum, { count }) => sum + count, 0)
  let ready = 0
  let over = false
  const waiting: (() => void)[] = []
  const onReady = (): void => {
    ready++
    if (ready === all) process.stdout.write('ready\n')
    else waiting.shift()?.()
  }
  for (const [i, { count }] of groups.entries()) {
    for (let n = 0; n < count; n++) {
      waiting.push(() => subscribe(port, counts[i] as Counted, onReady, () => over))
    }
  }
  // A few handshakes at a time.
  for (let n = 0; n < 32; n++) waiting.shift()?.()
  process.stdin.once('data', () => {
    over = true
    process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0))
  })
}

main(JSON.parse(process.argv[2] as string) as EventLoad)
