import { join } from 'node:path'
import { type Application, createAbciServer } from '@org/abci'
import { createKvStore, type KvStore } from '@org/kvstore'
import { noopLogger } from '@org/runtime'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './process.ts'

/** Small chunks, so that a snapshot of a small state has several. */
const CHUNK_BYTES = 512
const INTERVAL = 50

/**
 * Serves a key-value store of this process to a node in another process. `change` replaces methods of the application.
 * Returns its address, for `proxy_app`.
 */
export async function serveApp(change: (app: KvStore) => Application = () => ({})): Promise<string> {
  const app = createKvStore({ snapshots: { interval: INTERVAL, chunkBytes: CHUNK_BYTES } })
  const address = `unix://${join(temporaryFolder(), 'app.sock')}`
  const server = createAbciServer({ address, kind: 'socket' }, { app: { ...app, ...change(app) }, logger: noopLogger })
  await server.start()
  onTestFinished(async () => {
    await server.stop()
    await app.close()
  })
  return address
}

/** A gate for the chunks of one or more applications. */
export interface ChunkGate {
  /** The application whose chunks from `from` on wait until the gate is opened. */
  readonly hold: (from: number) => (app: KvStore) => Application
  readonly open: () => void
}

export function createChunkGate(): ChunkGate {
  const opened = Promise.withResolvers<void>()
  return {
    hold: (from) => (app) => ({
      loadSnapshotChunk: async (request) => {
        if (request.chunk >= from) await opened.promise
        return app.loadSnapshotChunk(request)
      },
    }),
    open: opened.resolve,
  }
}
