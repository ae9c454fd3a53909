import { createServer, type Socket } from 'node:net'
import { recording, recordingLines } from '@org/golden'
import { Request, Response } from '@org/types/abci'
import type { MessageSchema } from '@org/types/schema'
import { describe, expect, test } from 'vitest'
import { createFrameParser } from '../src/framing/index.ts'
import { type AbciClient, createConnections } from '../src/index.ts'

const TRACES = [
  'abci-trace/1-first-start',
  'abci-trace/2-node-and-app-restart',
  'abci-trace/3-app-lost-its-state',
  'abci-trace/batch',
  'e2e-voteext/abci-node0',
  'e2e-voteext/abci-node2-statesync',
]

interface Listed {
  readonly conn: number
  readonly dir: 'request' | 'response'
  readonly type: string
}

const connectionsOf = (trace: string): number[] => {
  const listed = recordingLines<Listed>(`${trace}/messages.jsonl`)
  return [...new Set(listed.map(({ conn }) => conn))].sort((a, b) => a - b)
}

function framesOf(stream: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = []
  createFrameParser(1 << 24).push(stream, (frame) => void frames.push(frame))
  return frames
}

function decodeStream<T>(stream: Uint8Array, schema: MessageSchema<T>): T[] {
  return framesOf(stream).map((frame) => schema.decode(frame))
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

describe.each(TRACES)('default: %s', (trace) => {
  test.each(connectionsOf(trace))('connection %i decodes to the listing and encodes to the same bytes', (conn) => {
    for (const [dir, schema] of [
      ['request', Request],
      ['response', Response],
    ] as const) {
      const stream = recording(`${trace}/conn${conn}.${dir}.bin`)
      const messages = decodeStream<Request | Response>(stream, schema as MessageSchema<Request | Response>)
      const listed = recordingLines<Listed>(`${trace}/messages.jsonl`).filter(
        (line) => line.conn === conn && line.dir === dir,
      )
      expect(messages.map(({ value }) => snake(value?.case ?? ''))).toEqual(listed.map(({ type }) => type))
      const encode = schema.encodeDelimited as (message: Request | Response) => Uint8Array
      expect(hex(Buffer.concat(messages.map(encode)))).toBe(hex(stream))
    }
  })
})

/** Starts a server that sends each recorded response after its request has arrived, and keeps the received bytes. */
async function recordedServer(trace: string) {
  const recorded = connectionsOf(trace)
  const received: Uint8Array[][] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    // The tested client opens its connections in the order of the reference. So the first connection has the number 0
    // in the recording, the second the number 1, and so on. A connection that the reference opened but did not use has
    // no recorded answers.
    const conn = sockets.push(socket) - 1
    const answers = recorded.includes(conn) ? framesOf(recording(`${trace}/conn${conn}.response.bin`)) : []
    socket.setNoDelay(true)
    const frames = createFrameParser(1 << 24)
    const own: Uint8Array[] = []
    received[conn] = own
    let next = 0
    socket.on('data', (chunk) => {
      own.push(Uint8Array.from(chunk))
      frames.push(chunk, () => {
        const answer = answers[next++]
        if (answer !== undefined) socket.write(Response.encodeDelimited(Response.decode(answer)))
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    received: (conn: number) => Buffer.concat(received[conn] ?? []),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Call = (request: unknown) => Promise<unknown>

/**
 * Makes the recorded calls. The calls of a batch are made in one turn of the event loop. A Flush that does not end a
 * batch is a separate call.
 */
async function drive(client: AbciClient, requests: readonly Request[]): Promise<unknown[]> {
  const answers: unknown[] = []
  let batch: Promise<unknown>[] = []
  for (const { value } of requests) {
    if (value?.case !== 'flush') {
      batch.push(((client as unknown as Record<string, Call>)[value?.case ?? ''] as Call)(value?.value))
      continue
    }
    if (batch.length === 0) batch.push(client.flush())
    answers.push(...(await Promise.all(batch)))
    batch = []
  }
  return answers
}

describe('default: Halley’s client sends the same bytes as the client of the reference', () => {
  // The tested client opens four connections, one for each kind of request. The recording `batch` is left out, because
  // abci-cli sends all requests of this recording on one connection.
  test.each(TRACES.filter((trace) => trace !== 'abci-trace/batch'))('%s', async (trace) => {
    await using server = await recordedServer(trace)
    await using closing = new AsyncDisposableStack()
    const connections = createConnections({ kind: 'socket', address: `tcp://127.0.0.1:${server.port}` })
    closing.defer(connections.stop)
    await connections.start()
    const clients = [connections.query, connections.snapshot, connections.mempool, connections.consensus]
    for (const conn of connectionsOf(trace)) {
      const recorded = recording(`${trace}/conn${conn}.request.bin`)
      await drive(clients[conn] as AbciClient, decodeStream(recorded, Request))
    }
    for (const conn of connectionsOf(trace)) {
      const recorded = hex(recording(`${trace}/conn${conn}.request.bin`))
      expect(hex(server.received(conn)), `connection ${conn}`).toBe(recorded)
    }
  })
})
