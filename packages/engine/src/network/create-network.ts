import {
  type AddressBook,
  createPex,
  createSwitch,
  type NetAddress,
  type NodeInfo,
  nodeIdOf,
  type Network as Streams,
  type Switch,
} from '@org/p2p'
import { type Clock, type Held, joinSizes, type Logger, type Random, type Service, type Sizes } from '@org/runtime'
import { type PrivateKey, publicKeyOf } from '@org/types/crypto'
import { type BlockSync, createBlockSync } from '../blocksync/index.ts'
import { type ConsensusGossip, createConsensusGossip } from '../consensus/gossip/index.ts'
import { createEvidenceGossip } from '../evidence/gossip/index.ts'
import { createMempoolGossip } from '../mempool/gossip/index.ts'
import { mustWaitForBlocks } from '../node/index.ts'
import { createStateSync } from '../statesync/index.ts'
import { peerFilters } from './filter-peers.ts'
import { makeNodeInfo } from './node-info.ts'
import type { NetworkOptions } from './options.ts'
import type { NetworkEngine } from './ports.ts'

export interface NetworkModules {
  readonly engine: NetworkEngine
  /** The source of streams: TCP, or memory. */
  readonly streams: Streams
  readonly book: AddressBook
  readonly saveBook: () => Promise<void>
  /** Makes peers of streams. Default: the switch of `@org/p2p`; a simulation gives a switch without cryptography. */
  readonly createSwitch?: typeof createSwitch
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** A node's peers and all its protocols. */
export interface Network extends Service {
  readonly peers: Switch
  readonly nodeInfo: () => NodeInfo
  /** The consensus state of each peer, in the form of `dump_consensus_state`. */
  readonly peerStates: ConsensusGossip['peerStates']
  /** The sizes of the data kept for peers. */
  readonly sizes: () => Sizes
  /** The messages and blocks of a peer that this node holds, by the part that holds them. */
  readonly heldFor: (peerId: string) => Readonly<Record<'consensus' | 'blocksync', Held>>
  /**
   * Calls `listener` when the node cannot continue: a block that more than two thirds of the power committed does not
   * apply.
   */
  readonly onFailure: (listener: (error: Error) => void) => void
  /**
   * Calls `listener` with the size of each block that came from a peer and was applied, and of each block sent to a
   * peer that catches up.
   */
  readonly onTransfer: (listener: (bytes: number) => void) => void
}

/**
 * Creates the network of a node. `start` listens and dials; a node that waits for blocks fetches them, and begins
 * consensus when it has caught up. The engine is started before and stopped after.
 */
export function createNetwork(options: NetworkOptions, modules: NetworkModules): Network {
  const { engine, book, clock, random, logger } = modules
  const { blockStore, consensus, metrics } = engine
  const failureListeners = new Set<(error: Error) => void>()
  const transferListeners = new Set<(bytes: number) => void>()
  const noteTransfer = (bytes: number): void => {
    for (const listener of transferListeners) listener(bytes)
  }
  const chainState = () => consensus.roundState().chain
  const base = { clock, random, metrics }
  const p2pLogger = logger.child('p2p')
  const stopById = (id: string, reason: Error): void => {
    const peer = peers.peer(id)
    if (peer !== undefined) peers.stopPeer(peer, reason)
  }

  const consensusGossip = createConsensusGossip(options.consensus, {
    ...base,
    consensus,
    blockStore,
    peers: { stop: (peer, reason) => peers.stopPeer(peer, reason), markGood: (peer) => peers.markGood(peer) },
    logger: logger.child('consensus'),
  })
  const blockSync: BlockSync = createBlockSync(options.blockSync, {
    ...base,
    executor: engine.executor,
    signatures: engine.signatures,
    exactChecks: engine.exactChecks,
    onSynced: noteTransfer,
    onServed: noteTransfer,
    blockStore,
    state: chainState,
    isNeeded: (state) => !mustWaitForBlocks(state, engine.publicKey),
    peers: {
      stop: stopById,
      broadcast: (channel, message) => peers.broadcast(channel, message),
      peer: (id) => peers.peer(id),
    },
    logger: logger.child('blocksync'),
  })
  const mempoolGossip =
    options.mempool &&
    createMempoolGossip(options.mempool, {
      ...base,
      mempool: engine.mempool,
      heights: consensusGossip,
      isUnconditional: (id) => peers.isUnconditional(id),
      isConsensusBusy: consensus.isBusy,
      logger: logger.child('mempool'),
    })
  const evidenceGossip = createEvidenceGossip({
    pool: engine.evidencePool,
    heights: consensusGossip,
    exactChecks: engine.exactChecks,
    maxAgeNumBlocks: () => chainState().consensusParams.evidence.maxAgeNumBlocks,
    clock,
    logger: logger.child('evidence'),
  })
  const pex =
    options.pex &&
    createPex(options.pex, {
      book,
      clock,
      random,
      logger: logger.child('pex'),
      save: modules.saveBook,
      peers: () => peers,
    })

  const nodeInfo = (): NodeInfo =>
    makeNodeInfo({
      introduction: options.introduction,
      nodeKey: options.switch.nodeKey,
      pex: pex !== undefined,
      state: chainState(),
      port: peers.listenAddress()?.port,
    })

  // Consensus comes first: the other reactors ask it for a peer's height.
  const reactors = [
    consensusGossip.reactor,
    blockSync.reactor,
    ...(mempoolGossip === undefined ? [] : [mempoolGossip.reactor]),
    evidenceGossip.reactor,
    createStateSync({ app: engine.abci.snapshot, logger: logger.child('statesync') }),
    ...(pex === undefined ? [] : [pex.reactor]),
  ]
  const peers: Switch = (modules.createSwitch ?? createSwitch)(options.switch, {
    ...base,
    network: modules.streams,
    exactChecks: engine.exactChecks,
    reactors,
    nodeInfo,
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

  async function syncAndBegin(): Promise<void> {
    const state = await blockSync.catchUp(engine.initialState)
    if (state === undefined) return
    await engine.startConsensus(state)
    consensusGossip.activate()
  }

  function fail(error: unknown): void {
    const failure = error instanceof Error ? error : new Error(String(error))
    logger.error('The node cannot continue', { err: failure.message })
    for (const listener of [...failureListeners]) listener(failure)
  }

  return {
    peers,
    nodeInfo,
    peerStates: consensusGossip.peerStates,
    sizes: joinSizes({
      switch: peers.sizes,
      ...Object.fromEntries(reactors.map(({ name, sizes }) => [`gossip of ${name}`, () => sizes?.() ?? {}])),
    }),
    heldFor: (peerId) => ({ consensus: consensus.heldFor(peerId), blocksync: blockSync.heldFor(peerId) }),
    onFailure: (listener) => void failureListeners.add(listener),
    onTransfer: (listener) => void transferListeners.add(listener),
    start: async () => {
      await peers.start()
      await pex?.start()
      evidenceGossip.start()
      if (engine.isWaitingForBlocks()) void syncAndBegin().catch(fail)
      else consensusGossip.activate()
    },
    stop: async () => {
      await blockSync.stop()
      consensusGossip.stop()
      mempoolGossip?.stop()
      evidenceGossip.stop()
      await pex?.stop()
      await peers.stop()
    },
  }
}

/** The address at which this node listens: the source of addresses from its operator. */
function ownAddress(nodeKey: PrivateKey, listening: ReturnType<Switch['listenAddress']>): NetAddress {
  return { id: nodeIdOf(publicKeyOf(nodeKey)), ip: listening?.host ?? '0.0.0.0', port: listening?.port ?? 0 }
}
