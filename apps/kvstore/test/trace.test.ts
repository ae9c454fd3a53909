import { connect } from 'node:net'
import { createAbciServer } from '@org/abci'
import { recording } from '@org/golden'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createKvStore, type KvStore, openKvStore } from '../src/index.ts'
import { expectUnchangedRequests, temporaryDirectory } from './helpers.ts'
import { readFrames, type TraceMessage, traceMessages } from './trace.ts'

/** Sends the requests of all connections in the recorded order; returns the responses of each connection. */
async function replay(app: KvStore, trace: string): Promise<Map<number, Uint8Array>> {
  const server = createAbciServer(
    { address: 'tcp://127.0.0.1:0', kind: 'socket' },
    { app: expectUnchangedRequests(app) },
  )
  await server.start()
  onTestFinished(server.stop)
  const port = Number(server.address().split(':').at(-1))
  const messages = traceMessages(trace)
  const connections = new Map<number, Awaited<ReturnType<typeof open>>>()
  for (const { conn } of messages) if (!connections.has(conn)) connections.set(conn, await open(port))
  for (const message of messages) await connections.get(message.conn)?.step(message)
  return new Map([...connections].map(([conn, { received }]) => [conn, received()]))
}

async function open(port: number) {
  const socket = connect(port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  let bytes = new Uint8Array(0)
  let wake: () => void = () => undefined
  socket.on('data', (chunk) => {
    bytes = Uint8Array.from([...bytes, ...chunk])
    wake()
  })
  onTestFinished(() => Promise.resolve(socket.destroy()).then(() => undefined))
  let wanted = 0
  return {
    received: () => bytes,
    step: async ({ dir, bytes: frame }: TraceMessage) => {
      if (dir === 'request') {
        socket.write(frame)
        return
      }
      wanted += frame.length
      while (bytes.length < wanted) await new Promise<void>((resolve) => (wake = resolve))
    },
  }
}

const connectionsOf = (trace: string): number[] => [...new Set(traceMessages(trace).map(({ conn }) => conn))]

function expectRecorded(trace: string, answers: Map<number, Uint8Array>): void {
  for (const conn of connectionsOf(trace)) {
    const recorded = readFrames(recording(`${trace}/conn${conn}.response.bin`))
    const ours = readFrames(answers.get(conn) ?? new Uint8Array(0))
    expect(ours, `${trace} conn ${conn}`).toEqual(recorded)
  }
}

describe('behavior: under the reference’s rules our server gives the recorded answers, to the byte', () => {
  test('first start, then a restart of the application and the node', async () => {
    await using directory = await temporaryDirectory()
    for (const trace of ['abci-trace/1-first-start', 'abci-trace/2-node-and-app-restart']) {
      const app = await openKvStore({ dir: directory.path, rules: 'v0.38' })
      expectRecorded(trace, await replay(app, trace))
      await app.close()
    }
  })

  test('an application that lost its state', async () => {
    const app = createKvStore({ rules: 'v0.38' })
    onTestFinished(app.close)
    expectRecorded('abci-trace/3-app-lost-its-state', await replay(app, 'abci-trace/3-app-lost-its-state'))
  })

  test('abci-cli batch', async () => {
    const app = createKvStore({ rules: 'v0.38' })
    onTestFinished(app.close)
    expectRecorded('abci-trace/batch', await replay(app, 'abci-trace/batch'))
  })
})
