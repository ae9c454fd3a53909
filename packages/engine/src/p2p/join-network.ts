import {
  type AddressBook,
  createPex,
  createSwitch,
  type NetAddress,
  type NodeInfo,
  type StreamFactory,
  type Switch,
} from '@org/p2p'
import { type Clock, type Logger, messageOf, type Random } from '@org/runtime'
import { INFO_REQUEST, makeGenesisState } from '../execution/index.ts'
import { type Files, NODE_FILES } from '../files/index.ts'
import type { RestoreParts } from '../node/index.ts'
import { chunkRequest, createStateSync, SNAPSHOTS_REQUEST, STATESYNC_CHANNELS } from '../statesync/index.ts'
import {
  createSyncer,
  type Restored,
  type RestoreOptions,
  type RestoreProgress,
  type StateProvider,
} from '../statesync/restore/index.ts'
import { peerFilters } from './filter-peers.ts'
import { makeNodeInfo, PEX_CHANNEL } from './node-info.ts'
import type { P2pOptions } from './options.ts'

/** The settings for the restore of a snapshot, and for the connections of the node during the restore. */
export interface JoinNetworkOptions extends Pick<P2pOptions, 'switch' | 'pex' | 'advertisedNode' | 'filterPeers'> {
  readonly restore: RestoreOptions
  /** Peers that the node dials at the start, in addition to the persistent peers. */
  readonly dial?: readonly NetAddress[]
}

/** The parts of the node that state sync uses: the application, light blocks, connections and files. */
export interface JoinNetworkModules extends RestoreParts {
  readonly provider: StateProvider
  /** The folder for chunks: see `RestoreModules`. */
  readonly folder: string
  /** The file operations. Default: those of this machine. */
  readonly files?: Files
  readonly streams: StreamFactory
  readonly book: AddressBook
  readonly saveBook: () => Promise<void>
  readonly createSwitch?: typeof createSwitch
  /** Called with the size in bytes of each chunk that a peer sent. */
  readonly onTransfer?: (bytes: number) => void
  readonly onProgress?: (progress: RestoreProgress) => void
  /** Called before the first connection. State sync begins when the returned promise resolves. */
  readonly onOpen?: (joining: JoiningPeers) => Promise<void>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** The peers of a node that restores a snapshot. */
export interface JoiningPeers {
  readonly peers: Switch
  readonly nodeInfo: () => NodeInfo
  readonly progress: () => RestoreProgress
}

/**
 * Runs state sync with its own connections, which end before the node starts with all channels. During state sync this
 * node opens only the channels of state sync and of addresses, so no peer sends it blocks, votes or transactions.
 */
export async function joinNetwork(
  options: JoinNetworkOptions,
  modules: JoinNetworkModules,
  signal: AbortSignal,
): Promise<Restored> {
  const { abci, genesis, metrics, book, clock, random, logger } = modules
  const { snapshot: channel, chunk } = STATESYNC_CHANNELS
  const ownLogger = logger.child('statesync')
  const named = options.switch.persistentPeers
  const syncer = createSyncer(options.restore, {
    ...modules,
    files: modules.files ?? NODE_FILES,
    logger: ownLogger,
    app: { ...abci.snapshot, info: () => abci.query.info(INFO_REQUEST) },
    peers: {
      requestSnapshots: () => peers.broadcast(channel, SNAPSHOTS_REQUEST),
      // The request for a chunk waits for room in the queue of its channel. This queue is short, because all other
      // messages of the channel are chunks, which are large.
      requestChunk: (id, request) => void peers.peer(id)?.send(chunk, chunkRequest(request)),
      areNamedConnected: () => named.length > 0 && named.every(({ id }) => peers.peer(id) !== undefined),
      leave: (id, reason) => {
        const peer = peers.peer(id)
        if (peer !== undefined) peers.stopPeer(peer, new Error(reason))
      },
    },
  })
  // The reactor of state sync gets no application here. So this node sends no snapshots to peers before its own
  // application is restored completely.
  const stateSync = createStateSync({
    ...{ app: undefined, joining: syncer, clock, logger: ownLogger },
    ...(modules.onTransfer && { onTransfer: modules.onTransfer }),
  })
  const pex =
    options.pex &&
    createPex(options.pex, {
      ...{ book, clock, random, logger: logger.child('pex'), save: modules.saveBook },
      peers: () => peers,
    })
  const state = makeGenesisState(genesis)
  const nodeInfo = (): NodeInfo => ({
    ...makeNodeInfo({
      advertisedNode: options.advertisedNode,
      nodeKey: options.switch.nodeKey,
      pex: pex !== undefined,
      state,
      port: peers.listenAddress()?.port,
    }),
    channels: Uint8Array.from([channel, chunk, ...(pex === undefined ? [] : [PEX_CHANNEL])]),
  })
  const peers: Switch = (modules.createSwitch ?? createSwitch)(options.switch, {
    ...{ streams: modules.streams, clock, random, metrics, nodeInfo, logger: logger.child('p2p') },
    reactors: [stateSync, ...(pex === undefined ? [] : [pex.reactor])],
    addresses: {
      isOurs: (address) => {
        book.addOwn(address)
        book.remove(address.id)
      },
      named: () => undefined,
      good: (id) => book.markGood(id, clock.now()),
    },
    ...(options.filterPeers ? peerFilters(abci.query) : {}),
  })
  await modules.onOpen?.({ peers, nodeInfo, progress: syncer.progress })
  try {
    await peers.start()
    await pex?.start()
    for (const address of options.dial ?? []) {
      peers.dial(address).catch((error: unknown) => ownLogger.debug('Failed to dial a peer', { err: messageOf(error) }))
    }
    return await syncer.run(signal)
  } finally {
    await pex?.stop()
    await peers.stop()
  }
}
