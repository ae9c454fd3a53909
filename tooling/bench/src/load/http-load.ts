import { connect } from 'node:net'

export interface LoadResult {
  readonly done: number
  readonly failed: number
  readonly seconds: number
}

/**
 * Sends `next()` requests over `connections` kept connections, one at a time on each, until `seconds` have passed or `next`
 * gives `undefined`. An answer counts as failed when its status is not 200 or `isGood` says no.
 */
export async function httpLoad(options: {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  readonly next: () => Buffer | undefined
  readonly isGood?: (answer: Buffer) => boolean
}): Promise<LoadResult> {
  const started = performance.now()
  const deadline = started + options.seconds * 1000
  const counts = { done: 0, failed: 0 }
  await Promise.all(Array.from({ length: options.connections }, () => oneConnection(options, deadline, counts)))
  return { ...counts, seconds: (performance.now() - started) / 1000 }
}

function oneConnection(
  options: Parameters<typeof httpLoad>[0],
  deadline: number,
  counts: { done: number; failed: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: options.port, noDelay: true })
    let waiting: Buffer = Buffer.alloc(0)
    const sendNext = (): void => {
      const request = performance.now() < deadline ? options.next() : undefined
      if (request !== undefined) socket.write(request)
      else {
        socket.destroy()
        resolve()
      }
    }
    socket.on('connect', sendNext)
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('data', (data: Buffer) => {
      waiting = waiting.length === 0 ? data : Buffer.concat([waiting, data])
      const end = waiting.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = waiting.toString('latin1', 0, end)
      const body = readBody(waiting, end + 4, head)
      if (body === undefined) return
      const good = head.startsWith('HTTP/1.1 200') && (options.isGood?.(body.bytes) ?? true)
      counts.done++
      if (!good) counts.failed++
      waiting = waiting.subarray(body.end)
      sendNext()
    })
  })
}

const LAST_CHUNK = '\r\n0\r\n\r\n'

/** The body that begins at `start`, chunk marks and all, and where it ends; `undefined` while some of it is missing. */
function readBody(
  bytes: Buffer,
  start: number,
  head: string,
): { readonly bytes: Buffer; readonly end: number } | undefined {
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  const last = length === undefined ? bytes.indexOf(LAST_CHUNK, start) + LAST_CHUNK.length : start + Number(length)
  if (last < start + (length === undefined ? LAST_CHUNK.length : 0) || last > bytes.length) return undefined
  return { bytes: bytes.subarray(start, last), end: last }
}

export function getRequest(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
}

export function postRequest(method: string, params: Readonly<Record<string, unknown>>): Buffer {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return Buffer.from(
    `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}
