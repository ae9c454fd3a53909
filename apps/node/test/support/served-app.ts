import { join } from 'node:path'
import { type Application, createAbciServer } from '@org/abci'
import { createKvStore, type KvStore } from '@org/kvstore'
import { noopLogger } from '@org/runtime'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './process.ts'

/** The size of a chunk. It is small, so that a snapshot of a small state has several chunks. */
const CHUNK_BYTES = 512
const INTERVAL = 50
/**
 * The number of snapshots that an application keeps. It is so large that no snapshot is removed, although an
 * application takes many snapshots while a node restores one.
 */
const KEEP = 10_000

/**
 * Returns the application with snapshots at all multiples of `INTERVAL`, so that all peers offer the same snapshots.
 */
function withRegularSnapshots(app: KvStore): KvStore {
  let height = 0
  return {
    ...app,
    finalizeBlock: (request) => {
      height = request.height
      return app.finalizeBlock(request)
    },
    commit: async (request) => {
      const answer = await app.commit(request)
      if (height % INTERVAL === 0) await app.listSnapshots({})
      return answer
    },
    listSnapshots: async (request) => (height < INTERVAL ? { snapshots: [] } : app.listSnapshots(request)),
  }
}

/**
 * Serves a key-value store of this process to a node in another process. The methods that `change` returns replace
 * methods of the store. Returns the address of the store, for `proxy_app`.
 */
export async function serveApp(change: (app: KvStore) => Application = () => ({})): Promise<string> {
  const app = withRegularSnapshots(
    createKvStore({ snapshots: { interval: INTERVAL, keep: KEEP, chunkBytes: CHUNK_BYTES } }),
  )
  const address = `unix://${join(temporaryFolder(), 'app.sock')}`
  const server = createAbciServer({ address, kind: 'socket' }, { app: { ...app, ...change(app) }, logger: noopLogger })
  await server.start()
  onTestFinished(async () => {
    await server.stop()
    await app.close()
  })
  return address
}

/**
 * A gate for the chunks of snapshots. While the gate is closed, applications with this gate do not send chunks. The
 * gate is closed at first.
 */
export interface ChunkGate {
  /**
   * Returns a change for {@link serveApp}. While the gate is closed, the application does not send the chunk with the
   * index `from`, nor any later chunk.
   */
  readonly hold: (from: number) => (app: KvStore) => Application
  readonly open: () => void
  readonly close: () => void
}

export function createChunkGate(): ChunkGate {
  let opened = Promise.withResolvers<void>()
  return {
    hold: (from) => (app) => ({
      loadSnapshotChunk: async (request) => {
        if (request.chunk >= from) await opened.promise
        return app.loadSnapshotChunk(request)
      },
    }),
    open: () => opened.resolve(),
    close: () => {
      opened = Promise.withResolvers<void>()
    },
  }
}
