import { connect } from 'node:net'
import { createEventReader } from './event-reader.ts'
import { clientFrame, HANDSHAKE } from './ws-answer.ts'

// A program that runs as a separate process. It subscribes over many WebSockets, and writes to its output which events
// arrived at which time. It uses plain sockets without a WebSocket library and reads only the beginning of each
// message, because it must use less processor time than the measured node.

/** The options of one process: `{ port, groups: [{ query, count }] }` as JSON in its only argument. */
export interface EventLoad {
  readonly port: number
  readonly groups: readonly { readonly query: string; readonly count: number }[]
}

/** The events that arrived for one query. */
export interface Arrivals {
  readonly query: string
  /**
   * `[height, time, count]`: the number of events of a height that were received at a time in milliseconds since
   * 1970.
   */
  readonly cells: readonly (readonly [number, number, number])[]
  readonly bytes: number
  /**
   * The number of faults: heights that are missing in the sequence, messages that are not events, and connections
   * that ended too early.
   */
  readonly dropped: number
}

interface Counted {
  readonly query: string
  /** The count of received events, by height and then by the time of arrival in milliseconds. */
  readonly cells: Map<number, Map<number, number>>
  bytes: number
  dropped: number
}

/** One buffer for all connections. The bytes of a read are processed before the next read overwrites them. */
const buffer = Buffer.alloc(256 * 1024)

interface Run {
  readonly onReady: () => void
  readonly isOver: () => boolean
}

function subscribe(port: number, counted: Counted, { onReady, isOver }: Run): void {
  const isBlocks = counted.query.includes('NewBlock')
  let isOpen = false
  let isSubscribed = false
  let lastHeight = 0
  const reader = createEventReader({
    onEvents: (height, count) => {
      if (isBlocks && lastHeight > 0) counted.dropped += height - lastHeight - 1
      lastHeight = height
      const now = Math.floor(performance.timeOrigin + performance.now())
      let cells = counted.cells.get(height)
      if (cells === undefined) {
        cells = new Map()
        counted.cells.set(height, cells)
      }
      cells.set(now, (cells.get(now) ?? 0) + count)
    },
    onBytes: (bytes) => {
      counted.bytes += bytes
    },
    onPing: () => socket.write(clientFrame(10, Buffer.alloc(0))),
    onOther: () => {
      if (isSubscribed) counted.dropped++
      else {
        isSubscribed = true
        onReady()
      }
    },
  })

  const onread = {
    buffer,
    callback: (size: number, data: Uint8Array): boolean => {
      if (isOpen) {
        reader(data, 0, size)
        return true
      }
      const text = Buffer.from(data.buffer, data.byteOffset, size).toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0 || !text.slice(0, 12).endsWith('101')) throw new Error('no WebSocket was opened')
      isOpen = true
      const call = { jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: counted.query } }
      socket.write(clientFrame(1, Buffer.from(JSON.stringify(call))))
      reader(data, end + 4, size)
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
  const counts = groups.map(({ query }): Counted => ({ query, cells: new Map(), bytes: 0, dropped: 0 }))
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
      waiting.push(() => subscribe(port, counts[i] as Counted, { onReady, isOver: () => over }))
    }
  }
  // At most 32 subscriptions are being made at the same time. When one of them is ready, the next one is started.
  for (let n = 0; n < 32; n++) waiting.shift()?.()
  process.stdin.once('data', () => {
    over = true
    const arrivals = counts.map(
      ({ cells, ...rest }): Arrivals => ({
        ...rest,
        cells: [...cells].flatMap(([height, of]) => [...of].map(([ms, count]) => [height, ms, count] as const)),
      }),
    )
    process.stdout.write(`${JSON.stringify(arrivals)}\n`, () => process.exit(0))
  })
}

main(JSON.parse(process.argv[2] as string) as EventLoad)
