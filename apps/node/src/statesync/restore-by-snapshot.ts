import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  DEFAULT_RESTORE_OPTIONS,
  type JoiningPeers,
  joinNetwork,
  type RestoreFirst,
  type RestoreProgress,
  type RestoreStart,
  type StateProvider,
} from '@org/engine'
import type { ProviderRetry } from '@org/light'
import { createLightStateProvider } from '@org/node-rpc/statesync'
import { type AddressBook, createAddressBook, nodeIdOf, tcpStreams } from '@org/p2p'
import { type Clock, type Logger, messageOf, type Random } from '@org/runtime'
import { hexToBytes } from '@org/types/bytes'
import { type PrivateKey, publicKeyOf } from '@org/types/crypto'
import { type Config, durationToMs } from '../config/index.ts'
import type { HeapGrowth } from '../heap-growth.ts'
import type { Logging } from '../logging/index.ts'
import { type MemoryLimits, unfinishedShare } from '../memory/shares.ts'
import { p2pOptions } from '../p2p/p2p-options.ts'
import { createHttpStateServer } from './http-state-server.ts'
import { createProgressLine } from './progress-line.ts'

export interface RestoreBySnapshotModules {
  readonly nodeKey: PrivateKey
  readonly limits: MemoryLimits
  /** Called before the node connects to a peer. The restore begins when the returned promise resolves. */
  readonly onOpen: (facts: {
    readonly start: RestoreStart
    readonly joining: JoiningPeers
    readonly book: AddressBook
  }) => Promise<void>
  readonly heapGrowth: Pick<HeapGrowth, 'onTransfer'>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly signal: AbortSignal
  /** Whether the progress is shown on a terminal, and not in the log. */
  readonly interactive: boolean
  readonly showStatus: Logging['showStatus']
  /** Receives the progress. If this function is missing, the progress is shown on the terminal or in the log. */
  readonly onStateSync?: (progress: RestoreProgress) => void
}

/** The time between two log lines about the chunks of a snapshot, in milliseconds. */
const LINE_INTERVAL = 5000

function createProgressLog({ clock, logger }: Pick<RestoreBySnapshotModules, 'clock' | 'logger'>) {
  let phase = ''
  let lineAt = 0
  return (progress: RestoreProgress): void => {
    const now = clock.monotonic()
    if (progress.phase === phase && now - lineAt < LINE_INTERVAL) return
    phase = progress.phase
    lineAt = now
    const { snapshot, applied, senders, peers } = progress
    if (snapshot === undefined) return
    const { height, format, chunks } = snapshot
    logger.info('State sync', { phase, height, format, applied, chunks, senders, peers })
  }
}

/**
 * Returns a state provider whose method `begin` calls `open`, which opens the light client and verifies the trusted
 * header. All other methods wait until the light client is open.
 */
function beginningLate(open: (signal: AbortSignal) => Promise<StateProvider>): StateProvider {
  const opened = Promise.withResolvers<StateProvider>()
  return {
    begin: async (signal) => opened.resolve(await open(signal)),
    appHash: async (height, signal) => (await opened.promise).appHash(height, signal),
    commit: async (height, signal) => (await opened.promise).commit(height, signal),
    state: async (height, signal) => (await opened.promise).state(height, signal),
  }
}

/** Returns the function that restores a snapshot before the engine starts, with the settings of `[statesync]`. */
export function restoreBySnapshot(config: Config, modules: RestoreBySnapshotModules): RestoreFirst {
  const { nodeKey, limits, clock, random, logger, signal } = modules
  const { statesync } = config
  return async (start) => {
    const { chainId, initialHeight } = start.genesis
    const lightLogger = logger.child('light')
    const onRetry = ({ provider, error, pauseMs }: ProviderRetry): void =>
      lightLogger.warn('An RPC server does not answer; the node will ask again', {
        provider,
        pauseMs,
        err: messageOf(error),
      })
    const servers = statesync.rpcServers.map((url) =>
      createHttpStateServer({ chainId, url }, { clock, random, onRetry }),
    )
    const trust = { height: statesync.trustHeight, hash: hexToBytes(statesync.trustHash) ?? new Uint8Array(0) }
    const provider = beginningLate((signal) =>
      createLightStateProvider(
        { chainId, initialHeight, trust, trustPeriod: statesync.trustPeriod },
        { servers, clock, logger: lightLogger, signal },
      ),
    )
    const usual = await p2pOptions(config, { nodeKey, logger: logger.child('p2p') })
    const book = createAddressBook(usual.book, random)
    for (const address of usual.book.own) book.addOwn(address)
    const shown = modules.interactive
      ? createProgressLine(modules.showStatus, () => process.stdout.columns || 80)
      : { at: createProgressLog({ clock, logger: logger.child('statesync') }), end: () => undefined }
    const maxUnfinishedBytes = unfinishedShare(limits, usual.switch.maxUnfinishedBytes)
    return joinNetwork(
      {
        ...usual,
        switch: { ...usual.switch, maxUnfinishedBytes },
        restore: {
          ...DEFAULT_RESTORE_OPTIONS,
          discoveryMs: durationToMs(statesync.discoveryTime),
          chunkRequestMs: durationToMs(statesync.chunkRequestTimeout),
          chunkFetchers: statesync.chunkFetchers,
          maxSnapshotChunks: statesync.maxSnapshotChunks,
        },
      },
      {
        ...start,
        ...{ provider, book, streams: tcpStreams, clock, random, logger },
        // The name of the folder contains the node's id, because all nodes of a machine use the same folder for
        // temporary files.
        folder: join(statesync.tempDir || tmpdir(), `halley-statesync-${nodeIdOf(publicKeyOf(nodeKey))}`),
        saveBook: async () => undefined,
        onProgress: modules.onStateSync ?? shown.at,
        onTransfer: modules.heapGrowth.onTransfer,
        onOpen: (joining) => modules.onOpen({ start, joining, book }),
      },
      signal,
    ).finally(shown.end)
  }
}
