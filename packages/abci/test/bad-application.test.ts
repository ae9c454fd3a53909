import { expect, test } from 'vitest'
import { createAbciServer, createConnections } from '../src/index.ts'

const app = { checkTx: () => ({ code: 1 }) }

test.each<[string, unknown, string]>([
  ['a promise', Promise.resolve(app), 'app is a promise: write `await` before it'],
  ['a module', { default: app }, 'write `.default` after it'],
  ['an array', [app], 'got a list of 1'],
  ['a Map', new Map(Object.entries(app)), 'got an object of the type Map'],
])('error: servers and connections refuse %s as an application', (_, given, message) => {
  const error = expect.objectContaining({
    code: 'ABCI_BAD_APPLICATION',
    message: expect.stringContaining(message),
  })
  const modules = { app: given as never }
  for (const kind of ['socket', 'grpc'] as const) {
    expect(() => createAbciServer({ address: 'tcp://127.0.0.1:0', kind }, modules)).toThrow(error)
  }
  expect(() => createConnections({ kind: 'local', ...modules })).toThrow(error)
})

test.each<[string, unknown[], string]>([
  ['no arguments', [], 'address must be a text'],
  ['the arguments in the wrong order', [{ app }, { address: 'tcp://127.0.0.1:0' }], 'address must be a text'],
  ['an unknown protocol', [{ address: 'tcp://127.0.0.1:0', kind: 'http' }, { app }], 'kind must be "socket" or "grpc"'],
  ['no application', [{ address: 'tcp://127.0.0.1:0', kind: 'grpc' }], 'app is missing'],
])('error: a server with %s is refused, and the message shows the right call', (_, given, message) => {
  const create = createAbciServer as (...args: unknown[]) => unknown
  expect(() => create(...given)).toThrow(
    expect.objectContaining({
      code: 'ABCI_BAD_OPTION',
      message: expect.stringMatching(`${message}.*: write createAbciServer\\(`),
    }),
  )
})

test('default: a server without the option kind uses the socket protocol', async () => {
  const server = createAbciServer({ address: 'tcp://127.0.0.1:0' }, { app })
  await server.start()
  const { port } = new URL(server.address())
  const connections = createConnections({ kind: 'socket', address: `tcp://127.0.0.1:${port}` })
  await connections.start()
  expect(await connections.mempool.checkTx({ tx: new Uint8Array(1), type: 0 })).toMatchObject({ code: 1 })
  await connections.stop()
  await server.stop()
})
