import {
  type AddressBook,
  createSwitch,
  type NetAddress,
  type NodeInfo,
  nodeIdOf,
  type StreamFactory,
  type Switch,
} from '@org/p2p'
import {
  type Clock,
  createListeners,
  createServiceGroup,
  joinSizes,
  type Logger,
  type Random,
  type Service,
  type ServicePart,
  type Sizes,
  unlessAborted,
} from '@org/runtime'
import { type PrivateKey, publicKeyOf } from '@org/types/crypto'
import type { BlockSync } from '../blocksync/index.ts'
import type { ConsensusGossip } from '../consensus/gossip/index.ts'
import { createProtocols, type Protocols } from './create-protocols.ts'
import { peerFilters } from './filter-peers.ts'
import { makeNodeInfo } from './node-info.ts'
import type { P2pOptions } from './options.ts'
import type { P2pEngine } from './ports.ts'

export interface P2pModules {
  readonly engine: P2pEngine
  /** Makes the byte streams between this node and other nodes, over TCP or in memory. */
  readonly streams: StreamFactory
  readonly book: AddressBook
  readonly saveBook: () => Promise<void>
  /**
   * Creates the switch, which turns byte streams into peers. Default: the switch of `@org/p2p`. A simulation uses a
   * switch without cryptography.
   */
  readonly createSwitch?: typeof createSwitch
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** A node's peers and all its protocols. */
export interface P2p extends Service {
  readonly peers: Switch
  readonly nodeInfo: () => NodeInfo
  /** The consensus state of each peer, in the form of `dump_consensus_state`. */
  readonly peerStates: ConsensusGossip['peerStates']
  /** Returns the sizes of the data that the P2P layer keeps for its peers. */
  readonly sizes: () => Sizes
  /** The progress of block sync; `undefined` while this node fetches no blocks. */
  readonly syncProgress: BlockSync['progress']
  /**
   * Returns, for each protocol, how many messages and blocks from the peer `peerId` are in this node's memory, and
   * their total size in bytes.
   */
  readonly heldFor: Protocols['heldFor']
  /**
   * Calls `listener` when the node cannot continue: it cannot apply a block that more than two thirds of the power
   * committed, or it cannot begin consensus.
   */
  readonly onFailure: (listener: (error: Error) => void, signal?: AbortSignal) => void
  /**
   * Calls `listener` with the size of each block or snapshot chunk that is transferred. A block is reported when it
   * came from a peer and was applied, or when it was sent to a peer that catches up. A chunk is reported when it was
   * sent to a peer.
   */
  readonly onTransfer: (listener: (bytes: number) => void, signal?: AbortSignal) => void
}

/**
 * Creates the P2P layer of a node. `start` listens and dials. A node that waits for blocks fetches them first, and
 * begins consensus when it has caught up. The caller must start the engine before the P2P layer, and stop the engine
 * after it.
 */
export function createP2p(options: P2pOptions, modules: P2pModules): P2p {
  const { engine, book, clock, random, logger } = modules
  const failures = createListeners<Error>()
  const transfers = createListeners<number>()
  const p2pLogger = logger.child('p2p')
  const { reactors, parts, consensus, blockSync, heldFor } = createProtocols(options, {
    ...modules,
    peers: () => peers,
    onTransfer: transfers.call,
  })

  const nodeInfo = (): NodeInfo =>
    makeNodeInfo({
      advertisedNode: options.advertisedNode,
      nodeKey: options.switch.nodeKey,
      pex: options.pex !== undefined,
      state: engine.consensus.roundState().chain,
      port: peers.listenAddress()?.port,
    })

  const peers: Switch = (modules.createSwitch ?? createSwitch)(options.switch, {
    streams: modules.streams,
    exactChecks: engine.exactChecks,
    reactors,
    nodeInfo,
    clock,
    random,
    metrics: engine.metrics,
    logger: p2pLogger,
    addresses: {
      isOurs: (address) => {
        book.addOwn(address)
        book.remove(address.id)
      },
      named: (addresses) => {
        const source = ownAddress(options.switch.nodeKey, peers.listenAddress())
        for (const address of addresses) book.add(address, source, clock.now())
        modules
          .saveBook()
          .catch((error: Error) => p2pLogger.error('Failed to save the address book', { err: error.message }))
      },
      good: (id) => book.markGood(id, clock.now()),
    },
    ...(options.filterPeers ? peerFilters(engine.abci.query) : {}),
  })

  /** Fetches blocks if the node lacks some, and begins consensus and its gossip. */
  async function syncAndBegin(signal: AbortSignal): Promise<void> {
    const state = await blockSync.catchUp(engine.initialState)
    if (state === undefined) return
    await unlessAborted(engine.startConsensus(state), signal)
    await consensus.start()
  }

  const begin: ServicePart = {
    start: async () => {
      if (engine.isWaitingForBlocks()) services.run(syncAndBegin)
      else await consensus.start()
    },
    stop: blockSync.stop,
  }
  const services = createServiceGroup('the network', [peers, ...parts, { stop: consensus.stop }, begin], (error) => {
    const failure = error instanceof Error ? error : new Error(String(error))
    logger.error('The node cannot continue', { err: failure.message })
    failures.call(failure)
  })

  return {
    peers,
    nodeInfo,
    peerStates: consensus.peerStates,
    sizes: joinSizes({
      switch: peers.sizes,
      ...Object.fromEntries(reactors.map(({ name, sizes }) => [`gossip of ${name}`, () => sizes?.() ?? {}])),
    }),
    heldFor,
    syncProgress: blockSync.progress,
    onFailure: failures.add,
    onTransfer: transfers.add,
    start: services.start,
    stop: services.stop,
  }
}

/**
 * Returns this node as a source for the address book: the id of this node, and the host and port at which it listens.
 * The address book stores with each address its source, which is the node that sent the address. For an address that
 * the operator configured, the source is this node.
 */
function ownAddress(nodeKey: PrivateKey, listening: ReturnType<Switch['listenAddress']>): NetAddress {
  return { id: nodeIdOf(publicKeyOf(nodeKey)), ip: listening?.host ?? '0.0.0.0', port: listening?.port ?? 0 }
}
