import { type AddressBook, createPex, type Reactor, type Switch } from '@org/p2p'
import type { Clock, Held, Logger, Random, ServicePart } from '@org/runtime'
import { type BlockSync, createBlockSync } from '../blocksync/index.ts'
import { type ConsensusGossip, createConsensusGossip } from '../consensus/gossip/index.ts'
import { createEvidenceGossip } from '../evidence/gossip/index.ts'
import { createMempoolGossip } from '../mempool/gossip/index.ts'
import { mustWaitForBlocks } from '../node/index.ts'
import { createStateSync } from '../statesync/index.ts'
import type { P2pOptions } from './options.ts'
import type { P2pEngine } from './ports.ts'

interface ProtocolModules {
  readonly engine: P2pEngine
  readonly book: AddressBook
  readonly saveBook: () => Promise<void>
  /** Returns the switch. A function is needed, because the switch is created after its protocols. */
  readonly peers: () => Switch
  /**
   * Called with the size of each block that came from a peer and was applied, and of each block or chunk sent to a
   * peer.
   */
  readonly onTransfer: (bytes: number) => void
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** The protocols of a node. */
export interface Protocols {
  /** The reactors in the order in which the switch passes a new peer to them. */
  readonly reactors: readonly Reactor[]
  /** The parts that the protocols run as services, in the order in which they start. They start after the switch. */
  readonly parts: readonly ServicePart[]
  readonly consensus: ConsensusGossip
  readonly blockSync: BlockSync
  /**
   * Returns, for each protocol, how many messages and blocks from the peer `peerId` are in this node's memory, and
   * their total size in bytes.
   */
  readonly heldFor: (peerId: string) => Readonly<Record<'consensus' | 'blocksync', Held>>
}

export function createProtocols(options: P2pOptions, modules: ProtocolModules): Protocols {
  const { engine, book, peers, onTransfer, clock, random, logger } = modules
  const { blockStore, consensus, metrics, exactChecks } = engine
  const chainState = () => consensus.roundState().chain
  const base = { clock, random, metrics }

  const consensusGossip = createConsensusGossip(options.consensus, {
    ...base,
    consensus,
    blockStore,
    peers: { stop: (peer, reason) => peers().stopPeer(peer, reason), markGood: (peer) => peers().markGood(peer) },
    logger: logger.child('consensus'),
  })
  const blockSync = createBlockSync(options.blockSync, {
    ...base,
    executor: engine.executor,
    signatures: engine.signatures,
    exactChecks,
    onSynced: onTransfer,
    onServed: onTransfer,
    blockStore,
    state: chainState,
    isNeeded: (state) => !mustWaitForBlocks(state, engine.publicKey),
    peers: {
      stop: (id, reason) => {
        const peer = peers().peer(id)
        if (peer !== undefined) peers().stopPeer(peer, reason)
      },
      broadcast: (channel, message) => peers().broadcast(channel, message),
      peer: (id) => peers().peer(id),
    },
    logger: logger.child('blocksync'),
  })
  const mempoolGossip =
    options.mempool &&
    createMempoolGossip(options.mempool, {
      ...base,
      mempool: engine.mempool,
      heights: consensusGossip,
      isUnconditional: (id) => peers().isUnconditional(id),
      isConsensusBusy: consensus.isBusy,
      logger: logger.child('mempool'),
    })
  const evidenceGossip = createEvidenceGossip({
    pool: engine.evidencePool,
    heights: consensusGossip,
    exactChecks,
    maxAgeNumBlocks: () => chainState().consensusParams.evidence.maxAgeNumBlocks,
    clock,
    logger: logger.child('evidence'),
  })
  const stateSync = createStateSync({
    ...{ app: engine.abci.snapshot, onTransfer, clock },
    logger: logger.child('statesync'),
  })
  const pex =
    options.pex &&
    createPex(options.pex, { book, clock, random, logger: logger.child('pex'), save: modules.saveBook, peers })

  // Consensus comes first, because the other reactors read the height of a peer from the reactor of consensus.
  const all = [consensusGossip, blockSync, mempoolGossip, evidenceGossip, { reactor: stateSync }, pex]
  return {
    reactors: all.flatMap((protocol) => protocol?.reactor ?? []),
    parts: [pex, evidenceGossip, mempoolGossip].flatMap((part) => part ?? []),
    consensus: consensusGossip,
    blockSync,
    heldFor: (peerId) => ({ consensus: consensus.heldFor(peerId), blocksync: blockSync.heldFor(peerId) }),
  }
}
