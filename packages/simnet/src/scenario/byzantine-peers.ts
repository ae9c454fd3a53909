import type { Behaviour } from '../byzantine/index.ts'
import type { Scenario } from './make-scenario.ts'

const MS = 1_000_000n
const SLOW_BLOCKS = { timeoutCommit: 800n * MS } as const

/**
 * Makes a network of four validators and one full node. The full node floods the validators, and dials again when
 * they close the connection.
 */
function flooded(seed: number, behaviour: Behaviour, network: Scenario['network'] = {}): Scenario {
  return {
    seed,
    network: { fullNodes: 1, redialMs: 300, ...network },
    lastsMs: 3000,
    faults: [],
    byzantine: [{ node: 4, behaviours: [behaviour] }],
  }
}

/**
 * A validator does not run for some heights. Afterwards, a full node sends it false answers about the blocks of these
 * heights.
 */
function lateNode(seed: number, behaviour: Behaviour, fullNodes = 1): Scenario {
  return {
    ...flooded(seed, behaviour, { fullNodes }),
    lastsMs: 9000,
    faults: [{ kind: 'crash', at: 500, node: 3, crash: 'kill', downMs: 7000 }],
  }
}

/**
 * Networks with a hostile peer. It makes its messages with little work, but they cost the receivers much work. The key
 * is the name of the network.
 */
export const BYZANTINE_PEERS: Readonly<Record<string, Scenario>> = {
  'flood of forged votes': flooded(2_000_601, 'floodForgedVotes'),
  'flood of forged proposals': flooded(2_000_602, 'floodForgedProposals'),
  'flood of rounds': flooded(2_000_603, 'floodRounds'),
  /** The applications are slow, so arriving messages must wait. */
  'flood of far votes': {
    ...flooded(2_000_609, 'floodFarVotes', { appDelayMs: [20, 200] }),
    lastsMs: 2500,
  },
  /**
   * The only validator makes one block after the other without a pause, so there is always an input of its own in its
   * queue.
   */
  'one decides alone': {
    ...flooded(2_000_611, 'floodFarVotes', {
      validators: 1,
      appDelayMs: [10, 20],
      consensus: { timeoutCommit: 0n, skipTimeoutCommit: true },
    }),
    lastsMs: 1500,
    byzantine: [{ node: 1, behaviours: ['floodFarVotes'] }],
  },
  /** The sender is a validator, because its votes must have valid signatures. */
  'flood of long votes': {
    ...flooded(2_000_604, 'floodLongVotes'),
    byzantine: [{ node: 3, behaviours: ['floodLongVotes'] }],
  },
  'flood of transactions': flooded(2_000_605, 'floodTransactions'),
  'flood of evidence': flooded(2_000_606, 'floodEvidence'),
  /** The first node requests addresses, and another node sends more addresses than allowed. */
  'flood of addresses': {
    ...flooded(2_000_607, 'floodAddresses', {
      consensus: SLOW_BLOCKS,
      exchange: { seeds: [0], seedMode: false, everyMs: 600, maxOutbound: 10 },
    }),
    lastsMs: 8000,
  },
  /**
   * Two peers claim to have blocks that do not exist. The network must make blocks nevertheless. After the network
   * drops these peers, they dial again.
   */
  'claims of every height': {
    ...flooded(2_000_610, 'claimEveryHeight', { fullNodes: 2 }),
    lastsMs: 65_000,
    byzantine: [4, 5].map((node) => ({ node, behaviours: ['claimEveryHeight'] })),
  },
  /** A proposer proposes blocks of 400,000 empty transactions. */
  'empty transactions': {
    seed: 2_000_612,
    network: { consensus: SLOW_BLOCKS },
    lastsMs: 3500,
    faults: [],
    byzantine: [{ node: 0, behaviours: ['emptyTransactions'] }],
  },
  /** A node that starts late gets three kinds of bad blocks from three of its peers. */
  'bad blocks': {
    ...lateNode(2_000_613, 'badBlocks', 3),
    byzantine: [4, 5, 6].map((node) => ({ node, behaviours: ['badBlocks'] })),
  },
  /**
   * A node that starts late requests blocks from a hostile peer. The peer does not send the first two of these blocks,
   * and sends large blocks for the later heights. The node cannot apply the large blocks without the first two blocks,
   * so it must keep the large blocks in memory.
   */
  'large blocks': lateNode(2_000_614, 'largeBlocks'),
  /**
   * Four peers claim to have blocks that do not exist. They also send each block that exists. At the start, the nodes
   * wait for the missing blocks for a minute, so the chain begins late. Afterwards, one validator restarts and follows
   * the chain by block sync. At the end, a second validator stops forever. Then the other two validators have too
   * little power to decide a block. So the restarted validator must have ended block sync by then, and must vote again.
   */
  'claims beside blocks': {
    seed: 2_000_611,
    network: { fullNodes: 4, redialMs: 300, consensus: { timeoutCommit: 300n * MS } },
    lastsMs: 133_000,
    faults: [
      { kind: 'crash', at: 66_000, node: 3, crash: 'power', downMs: 3000 },
      // The restarted validator drops each liar ten seconds after the liar connected. Each fault `cut` breaks the
      // connection of one liar, which then connects again. The faults come at different times, so that the validator
      // does not drop all liars at the same time.
      ...[5, 6, 7].map((liar, i) => ({ kind: 'cut' as const, at: 71_500 + i * 2500, nodes: [3, liar] as const })),
      { kind: 'leave', at: 133_000, node: 0 },
    ],
    byzantine: [4, 5, 6, 7].map((node) => ({ node, behaviours: ['claimFutureHeights'] })),
  },
  /**
   * One node refuses all connections for a while, like a node that has its maximum number of peers. The other nodes
   * must keep its address.
   */
  'hanging up': {
    seed: 2_000_608,
    network: {
      validators: 5,
      consensus: SLOW_BLOCKS,
      exchange: { seeds: [0], seedMode: false, everyMs: 600, maxOutbound: 10 },
    },
    lastsMs: 9000,
    faults: [
      { kind: 'hangUp', at: 1500, node: 2, forMs: 4000 },
      { kind: 'flap', at: 2000, node: 2, everyMs: 400, forMs: 3000 },
    ],
    byzantine: [],
  },
}
