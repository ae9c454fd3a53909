import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAbciServer, createConnections } from '@org/abci'

const address = 'tcp://127.0.0.1:0'
const missing = { code: 'ABCI_GRPC_MISSING', message: /npm install @grpc\/grpc-js/ }

await test('gRPC needs a package that the user installs', async () => {
  await assert.rejects(createAbciServer({ address, kind: 'grpc' }, { app: {} }).start(), missing)
  await assert.rejects(createConnections({ kind: 'grpc', address }).start(), missing)
})
