import type { Scenario } from './make-scenario.ts'
import { powerLosses } from './power-losses.ts'

const MS = 1_000_000n
const SLOW_DISK = { syncMs: [5, 30], writeMs: [0.1, 5] } as const
const SLOW_BLOCKS = { timeoutCommit: 800n * MS } as const

/**
 * Networks whose nodes behave in ways that never occur in a network that is made from a seed. The key is the name of
 * the network.
 */
export const CHOSEN_PEERS: Readonly<Record<string, Scenario>> = {
  /**
   * All nodes have only the address of one seed node. When the nodes have found each other, the seed node stops and
   * never returns. Then all other nodes have a power failure, and must find each other by their address books.
   */
  strangers: {
    seed: 2_000_501,
    network: {
      validators: 5,
      fullNodes: 1,
      consensus: SLOW_BLOCKS,
      exchange: { seeds: [5], seedMode: true, everyMs: 1000, maxOutbound: 10 },
    },
    lastsMs: 14_000,
    faults: [
      { kind: 'leave', at: 8000, node: 5 },
      ...[0, 1, 2, 3, 4].map((node) => ({
        kind: 'crash' as const,
        at: 9000 + 20 * node,
        node,
        crash: 'power' as const,
        downMs: 400 + 70 * node,
      })),
    ],
    byzantine: [],
  },
  /**
   * A validator requests addresses too often. It also sends addresses that were not requested, are invalid, or belong
   * to no node.
   */
  'false addresses': {
    seed: 2_000_502,
    network: {
      validators: 5,
      fullNodes: 1,
      consensus: SLOW_BLOCKS,
      exchange: { seeds: [5], seedMode: false, everyMs: 600, maxOutbound: 10 },
    },
    lastsMs: 12_000,
    faults: [],
    byzantine: [{ node: 0, behaviours: ['askTooOften', 'unaskedAddresses', 'badAddresses', 'falseAddresses'] }],
  },
  /**
   * One node requests more snapshots and chunks than allowed. Another node requests snapshots and chunks that cannot
   * exist.
   */
  'asked for snapshots': {
    seed: 2_000_503,
    network: { fullNodes: 2, appSnapshotsEvery: 1, appDelayMs: [0, 3], txEveryMs: 150 },
    lastsMs: 5000,
    faults: [],
    byzantine: [
      { node: 4, behaviours: ['askSnapshots'] },
      { node: 5, behaviours: ['badSnapshotQuestion'] },
    ],
  },
  /** A node begins with the snapshot of its only peer. The node requests all chunks at once from this peer. */
  'one peer with snapshots': {
    seed: 2_000_508,
    network: {
      validators: 1,
      appSnapshotsEvery: 2,
      joiners: { nodes: 1, startAt: 7, servers: [0, 0], lies: [], trustBack: 2, requestsWithinMs: 100 },
    },
    lastsMs: 4000,
    faults: [],
    byzantine: [],
  },
  /**
   * A node begins with the snapshot of its only peer. The peer answers each request after the time limit, so the node
   * requests each chunk again from the same peer, and receives two answers.
   */
  'slow peer with snapshots': {
    seed: 2_000_509,
    network: {
      validators: 1,
      consensus: SLOW_BLOCKS,
      appSnapshotsEvery: 4,
      wire: { latencyMs: [450, 500], bandwidth: 5_000_000 },
      joiners: { nodes: 1, startAt: 7, servers: [0, 0], lies: [], trustBack: 2 },
    },
    lastsMs: 8000,
    faults: [],
    byzantine: [],
  },
  /**
   * A node begins with a snapshot below the trusted height. The light client verifies the headers of such heights only
   * by their hashes, and no hash covers the proposer priorities. The server that sends the headers lies about these
   * priorities.
   */
  'priorities below trust': {
    seed: 2_000_510,
    network: {
      consensus: SLOW_BLOCKS,
      appSnapshotsEvery: 5,
      joiners: { nodes: 1, startAt: 9, servers: [0, 1, 2], lies: [{ server: 0, lie: 'lowPriorities' }], trustBack: 1 },
    },
    lastsMs: 8000,
    faults: [],
    byzantine: [],
  },
  /**
   * A client sends evidence about a height below the snapshot with which a node began. Two of the three servers of old
   * headers lie about commits. The node has a power failure while it fetches these headers.
   */
  'evidence below snapshot': {
    seed: 2_000_511,
    network: {
      consensus: SLOW_BLOCKS,
      appSnapshotsEvery: 5,
      wire: { latencyMs: [80, 100], bandwidth: 5_000_000 },
      joiners: {
        nodes: 1,
        startAt: 16,
        servers: [0, 1, 2],
        lies: [
          { server: 0, lie: 'oldRound' },
          { server: 1, lie: 'oldSignatures' },
        ],
        trustBack: 3,
      },
    },
    lastsMs: 26_000,
    faults: [
      ...[1000, 3000, 6000].map((at, i) => ({ kind: 'validator' as const, at, node: i, power: 12 + i })),
      { kind: 'crash', at: 21_600, node: 4, crash: 'power', downMs: 300 },
      { kind: 'oldDoubleSign', at: 0, node: 3, joiner: 4, below: 1 },
      { kind: 'oldDoubleSign', at: 0, node: 3, joiner: 4, below: 6 },
    ],
    byzantine: [],
  },
  /**
   * A node began with a snapshot and still fetches older headers. A block contains evidence about a height whose header
   * the node does not have yet. The node waits for the header. Peers that send the evidence to the node keep their
   * connections.
   */
  'evidence before its header': {
    seed: 2_000_512,
    network: {
      consensus: SLOW_BLOCKS,
      appSnapshotsEvery: 5,
      joiners: { nodes: 1, startAt: 16, servers: [0, 1, 2], lies: [], trustBack: 3, backfillPauseMs: 2500 },
    },
    lastsMs: 30_000,
    faults: [
      { kind: 'oldDoubleSign', at: 0, node: 2, joiner: 4, below: 7, early: true },
      { kind: 'oldDoubleSign', at: 15_000, node: 3, joiner: 4, below: 9, early: true },
    ],
    byzantine: [],
  },
  /**
   * As in the network `evidence before its header`, a block contains evidence about a height whose header the node does
   * not have yet. There is one difference: the node takes part in consensus when it receives the block, and has all
   * votes of the round. After +2/3 have prevoted the block, the node must verify the evidence before it can precommit.
   * So the node needs the missing header before the block is decided.
   */
  'evidence before its header in consensus': {
    seed: 2_000_513,
    network: {
      consensus: SLOW_BLOCKS,
      appSnapshotsEvery: 5,
      joiners: { nodes: 1, startAt: 16, servers: [0, 1, 2], lies: [], trustBack: 3, backfillPauseMs: 6000 },
    },
    lastsMs: 40_000,
    faults: [{ kind: 'oldDoubleSign', at: 19_000, node: 3, joiner: 4, below: 9, early: true }],
    byzantine: [],
  },
  /** The applications of two nodes refuse another node as a peer. All other applications accept this node. */
  unwanted: {
    seed: 2_000_504,
    network: {
      fullNodes: 1,
      filterPeers: true,
      appRefuses: [
        { node: 1, peer: 4 },
        { node: 2, peer: 4 },
      ],
      redialMs: 300,
    },
    lastsMs: 4000,
    faults: [
      { kind: 'flap', at: 500, node: 1, everyMs: 300, forMs: 1500 },
      { kind: 'crash', at: 1200, node: 2, crash: 'power', downMs: 200 },
    ],
    byzantine: [],
  },
  /** A validator that restarts soon after it signed a block does not join consensus until enough newer blocks exist. */
  'signed lately': {
    seed: 2_000_505,
    network: { validators: 5, doubleSignCheckHeight: 5 },
    lastsMs: 8000,
    faults: [
      { kind: 'crash', at: 1500, node: 1, crash: 'power', downMs: 200 },
      { kind: 'crash', at: 6500, node: 2, crash: 'kill', downMs: 100 },
    ],
    byzantine: [],
  },
  /**
   * The nodes have no mempool. Each node stores only its application's last response to FinalizeBlock, and removes the
   * entries of old blocks from its index.
   */
  'no mempool': {
    seed: 2_000_506,
    network: {
      mempool: 'nop',
      discardAbciResponses: true,
      appKeepsBlocks: 4,
      pruneIndexEvery: 3,
      txEveryMs: 150,
      redialMs: 300,
    },
    lastsMs: 8000,
    faults: powerLosses({
      count: 8,
      at: 1200,
      everyMs: 500,
      nodes: 4,
      downMs: 150,
      effects: { step: 37, below: 130 },
      first: 'before',
    }),
    byzantine: [],
  },
  /**
   * Signers are separate processes. Some signers disconnect from their nodes. Some nodes have a power failure while
   * they wait for the signature of their signer.
   */
  'signers apart': {
    seed: 2_000_507,
    network: { remoteSigners: true, extensionsFrom: 2, txEveryMs: 150, redialMs: 300, disk: SLOW_DISK },
    lastsMs: 10_000,
    faults: [
      { kind: 'signerAway', at: 700, node: 0, forMs: 900 },
      { kind: 'signerAway', at: 3500, node: 2, forMs: 1500 },
      // For a time, neither node 1 nor node 3 has a signer. The other nodes have too little power to decide a block.
      { kind: 'signerAway', at: 9000, node: 1, forMs: 400 },
      { kind: 'signerAway', at: 9100, node: 3, forMs: 400 },
      ...powerLosses({
        count: 5,
        at: 1600,
        everyMs: 1700,
        nodes: 4,
        downMs: 120,
        effects: { step: 31, below: 90 },
        first: 'after',
      }),
    ],
    byzantine: [],
  },
}
