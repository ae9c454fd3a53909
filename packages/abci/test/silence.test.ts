import { createServer, type Socket } from 'node:net'
import { createVirtualClock, type LogFields, type Logger, noopLogger } from '@org/runtime'
import { RequestInfo } from '@org/types/abci'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAbciServer, createConnections } from '../src/index.ts'
import { temporaryDirectory } from './helpers.ts'

interface Line {
  readonly message: string
  readonly fields: LogFields | undefined
}

function recordingLogger(): { readonly logger: Logger; readonly lines: readonly Line[] } {
  const lines: Line[] = []
  const logger: Logger = {
    ...noopLogger,
    child: () => logger,
    warn: (message, fields) => void lines.push({ message, fields }),
  }
  return { logger, lines }
}

/** Starts a program that accepts connections, reads, and never answers. */
async function silentListener(path: string): Promise<void> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined).resume()
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
}

const CHECK = expect.stringMatching(/^check that the application runs.*socket or grpc/)

describe.each(['socket', 'grpc'] as const)('a node whose application does not answer (%s)', (kind) => {
  test('behavior: it logs a warning after each attempt, and connects when the application listens', async () => {
    await using directory = await temporaryDirectory()
    const address = `unix://${directory.path}/app.sock`
    const clock = createVirtualClock()
    const { logger, lines } = recordingLogger()
    const connections = createConnections({ kind, address }, { clock, logger })
    const started = connections.start()
    for (const count of [1, 2, 3]) {
      await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(count)
      expect(lines.at(-1)).toMatchObject({
        message: 'Cannot connect to the application, trying again',
        fields: { address, error: expect.stringMatching(/ENOENT/), check: CHECK },
      })
      clock.next()
    }
    const server = createAbciServer({ address, kind }, { app: {} })
    await server.start()
    onTestFinished(() => server.stop())
    onTestFinished(() => connections.stop())
    const ticks = setInterval(() => clock.advance(100), 10)
    await started
    clearInterval(ticks)
    expect(await connections.query.echo('hi')).toBe('hi')
  })

  test('behavior: it logs a warning every few seconds about a program that accepts connections and does not answer', async () => {
    await using directory = await temporaryDirectory()
    const path = `${directory.path}/app.sock`
    await silentListener(path)
    const address = `unix://${path}`
    const clock = createVirtualClock()
    const { logger, lines } = recordingLogger()
    const connections = createConnections({ kind, address }, { clock, logger })
    const started = connections.start()
    if (kind === 'socket') await started
    const waiting = kind === 'socket' ? connections.query.info(RequestInfo.create()) : started
    const ended = expect(waiting).rejects.toThrow()
    for (const count of [1, 2, 3]) {
      await expect.poll(() => clock.pending(), { timeout: 10_000 }).toBe(1)
      clock.advance(3000)
      expect(lines).toHaveLength(count)
      expect(lines.at(-1)).toEqual({
        message: 'The application has not answered yet',
        fields: {
          address,
          waitsFor: kind === 'grpc' ? 'a connection' : 'info',
          waitedMs: 3000 * count,
          check: CHECK,
        },
      })
    }
    await connections.stop()
    await ended
    expect(clock.pending()).toBe(0)
  })

  test('behavior: it logs warnings while the application does not answer its first info', async () => {
    await using directory = await temporaryDirectory()
    const address = `unix://${directory.path}/app.sock`
    const gate = Promise.withResolvers<void>()
    const info = async () => {
      await gate.promise
      return { data: 'late' }
    }
    const server = createAbciServer({ address, kind }, { app: { info } })
    await server.start()
    const clock = createVirtualClock()
    const { logger, lines } = recordingLogger()
    const connections = createConnections({ kind, address }, { clock, logger })
    onTestFinished(() => server.stop())
    onTestFinished(() => connections.stop())
    await connections.start()
    const answer = connections.query.info(RequestInfo.create())
    clock.advance(6500)
    expect(lines.map(({ fields }) => [fields?.waitsFor, fields?.waitedMs])).toEqual([
      ['info', 3000],
      ['info', 6000],
    ])
    gate.resolve()
    expect((await answer).data).toBe('late')
    const later = connections.query.echo('x')
    clock.advance(10_000)
    await later
    expect(lines).toHaveLength(2)
    expect(clock.pending()).toBe(0)
  })
})
