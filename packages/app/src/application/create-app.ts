import type { Application } from '@org/abci'
import { createRestorer, createSnapshots } from '../snapshots/index.ts'
import { createMemoryStorage } from '../storage/memory.ts'
import { openVersions } from '../tree/index.ts'
import { createBlocks, hashOfTree } from './blocks.ts'
import { createExecutor } from './executor.ts'
import { type AppOptions, checkOptions } from './options.ts'
import { createQueries } from './queries.ts'
import { reportToStderr } from './report-to-stderr.ts'

const DEFAULT_KEPT = 100
type Methods = 'info' | 'query' | 'checkTx' | 'initChain' | 'finalizeBlock' | 'commit' | SnapshotMethods
type SnapshotMethods = 'listSnapshots' | 'loadSnapshotChunk' | 'offerSnapshot' | 'applySnapshotChunk'

/** An application that can be closed together with its storage. */
export interface App extends Required<Pick<Application, Methods>> {
  /** Resolves when no snapshot is being taken. */
  readonly idle: () => Promise<void>
  /** Closes the storage. The application cannot be used afterwards. */
  readonly close: () => Promise<void>
}

/**
 * Makes an application from its messages and queries. Throws an {@link AppError} (`APP_BAD_OPTION`) for an invalid
 * option, and `APP_BAD_STATE` for a storage of another program.
 */
export function createApp(options: AppOptions): App {
  checkOptions(options)
  const { name = 'app', appVersion = 0, keptVersions = DEFAULT_KEPT, storage = createMemoryStorage() } = options
  const versions = openVersions(storage, keptVersions)
  const executor = createExecutor(options)
  const { onError = reportToStderr } = options
  const snapshots = createSnapshots(options.snapshots, { storage, versions, onError })
  const restorer = createRestorer({ storage, versions, onError })
  const blocks = createBlocks(options, { versions, executor })

  return {
    info: () => {
      const { version, tree } = versions.last()
      const lastBlockAppHash = version === 0 ? new Uint8Array(0) : hashOfTree(tree)
      return { data: name, appVersion, lastBlockHeight: version, lastBlockAppHash }
    },
    initChain: blocks.initChain,
    checkTx: ({ tx }) => blocks.checkTx(tx),
    finalizeBlock: blocks.finalizeBlock,
    commit: async () => {
      await blocks.commit()
      snapshots.afterCommit()
    },
    query: createQueries(options, versions, blocks.latest),
    listSnapshots: snapshots.list,
    loadSnapshotChunk: snapshots.chunk,
    offerSnapshot: restorer.offer,
    applySnapshotChunk: restorer.apply,
    idle: snapshots.idle,
    close: async () => {
      await snapshots.close()
      await storage.close()
    },
  }
}
