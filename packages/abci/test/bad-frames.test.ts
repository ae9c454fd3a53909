import { connect } from 'node:net'
import { type LogFields, noopLogger } from '@org/runtime'
import { beforeEach, describe, expect, test } from 'vitest'
import { type AbciServer, createAbciServer } from '../src/index.ts'

describe('a socket server that receives invalid frames', () => {
  const logged: (readonly [message: string, code: unknown])[] = []
  let server: AbciServer

  beforeEach(async () => {
    logged.length = 0
    const error = (message: string, fields: LogFields = {}): void => void logged.push([message, fields.code])
    const logger = { ...noopLogger, error }
    server = createAbciServer({ address: 'tcp://127.0.0.1:0', kind: 'socket' }, { app: {}, logger })
    await server.start()
    return () => server.stop()
  })

  /** Sends the bytes, ends the connection, and waits until the server has closed it. */
  const send = (bytes: Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      const port = Number(server.address().split(':').at(-1))
      const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
      socket.on('error', () => undefined).on('close', () => resolve())
      socket.resume()
    })

  test.each([
    ['a length of more than 64 bits', new Uint8Array(12).fill(0xff)],
    ['a frame over the limit', Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x7f)],
    ['a frame that is not a request', Uint8Array.of(2, 0xff, 0xff)],
  ])('error: %s ends the connection, and the log line has a code', async (_name, bytes) => {
    await send(bytes)
    expect(logged).toEqual([['Closing the connection', expect.stringMatching(/^[A-Z_]+$/)]])
  })

  test('error: half a frame is reported when the client disconnects', async () => {
    await send(Uint8Array.of(6, 1, 2))
    expect(logged).toEqual([['The connection ended in the middle of a frame', 'ABCI_BAD_FRAME']])
  })

  test('behavior: a client that disconnects after complete frames is not logged', async () => {
    await send(Uint8Array.of())
    expect(logged).toEqual([])
  })
})
