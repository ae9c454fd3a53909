import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AbciConnections, type Application, createAbciServer, createConnections } from '../src/index.ts'

export async function temporaryDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'halley-abci-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

export type Kind = 'local' | 'socket' | 'grpc'

/** Starts an application with its four connections, over any transport. */
export async function connected(
  app: Application,
  kind: Kind,
  options: { readonly address?: string; readonly timeoutMs?: number; readonly maxFrameBytes?: number } = {},
): Promise<AsyncDisposable & { readonly connections: AbciConnections; readonly stopServer: () => Promise<void> }> {
  if (kind === 'local') {
    const connections = createConnections({ kind, app })
    await connections.start()
    return { connections, stopServer: () => Promise.resolve(), [Symbol.asyncDispose]: () => connections.stop() }
  }
  const { address = 'tcp://127.0.0.1:0', ...client } = options
  const server = createAbciServer({ address, kind }, { app })
  await server.start()
  const connections = createConnections({ kind, address: server.address(), ...client })
  await connections.start()
  return {
    connections,
    stopServer: server.stop,
    [Symbol.asyncDispose]: async () => {
      await connections.stop()
      await server.stop()
    },
  }
}
