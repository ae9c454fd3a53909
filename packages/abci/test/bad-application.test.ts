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
