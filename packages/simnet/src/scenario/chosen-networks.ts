import { DB_NAMES } from '@org/engine/storage'
import { BYZANTINE_PEERS } from './byzantine-peers.ts'
import { CHOSEN_PEERS } from './chosen-peers.ts'
import type { Scenario } from './make-scenario.ts'
import { powerLosses } from './power-losses.ts'

const MS = 1_000_000n
const SLOW_WIRE = { latencyMs: [10, 60], bandwidth: 1_000_000 } as const

/**
 * Networks that seeds make rarely or never, by name. A change of this list does not change the networks of the seeds.
 */
export const CHOSEN: Readonly<Record<string, Scenario>> = {
  /**
   * The proposals of the first rounds arrive too late. One node is disconnected in an early round, and receives the
   * decision in a later round.
   */
  hasty: {
    seed: 2_000_001,
    network: {
      fullNodes: 1,
      wire: SLOW_WIRE,
      consensus: {
        timeoutPropose: 1n * MS,
        timeoutProposeDelta: 25n * MS,
        timeoutPrevote: 5n * MS,
        timeoutPrevoteDelta: 25n * MS,
        timeoutPrecommit: 5n * MS,
        timeoutPrecommitDelta: 25n * MS,
      },
    },
    faults: [600, 1500, 2400, 3300, 4200, 5100].map((at, i) => ({
      kind: 'partition' as const,
      at,
      group: [i % 5],
      oneWay: false,
      forMs: 700,
    })),
    byzantine: [],
  },
  /**
   * A validator receives nothing for so long that the other nodes drop votes from their send queues, while the
   * connections stay open.
   */
  narrow: {
    seed: 2_000_012,
    network: { validators: 3, disk: { syncMs: [5, 30], writeMs: [0.1, 5] } },
    faults: [
      ...[0, 1, 2].map((node) => ({ kind: 'narrow' as const, at: 200, node, room: 1, forMs: 80_000 })),
      ...[0, 1, 2, 0, 1, 2].map((node, i) => ({
        kind: 'partition' as const,
        at: 1000 + 13_300 * i,
        group: [node],
        oneWay: false,
        forMs: 12_500,
      })),
    ],
    byzantine: [],
  },
  /**
   * A validator signs two different votes. The evidence databases of the other validators are slow, so these nodes
   * notice late that a block contains the evidence.
   */
  'slow evidence': {
    seed: 2_000_003,
    network: { fullNodes: 1, txEveryMs: 150 },
    lastsMs: 6000,
    faults: [1, 2, 3, 4].map((node) => ({
      kind: 'slowPart' as const,
      at: 0,
      node,
      name: DB_NAMES.evidence,
      slowness: node % 2 === 0 ? 300 : 60,
      forMs: 6000,
    })),
    byzantine: [{ node: 0, behaviours: ['equivocate'] }],
  },
  /**
   * A validator signs two different votes. The other validators have one power failure after another: their evidence
   * must survive.
   */
  'forgotten evidence': {
    seed: 2_000_004,
    network: { validators: 7, redialMs: 300 },
    faults: Array.from({ length: 24 }, (_, i) => ({
      kind: 'crash' as const,
      at: 1000 + 430 * i,
      node: 1 + (i % 6),
      crash: 'power' as const,
      downMs: 100,
    })),
    byzantine: [{ node: 0, behaviours: ['equivocate'] }],
  },
  /** A validator sends invalid votes. */
  'forged votes': {
    seed: 2_000_005,
    network: { extensionsFrom: 1 },
    lastsMs: 4000,
    faults: [],
    byzantine: [
      {
        node: 0,
        behaviours: ['wrongSignature', 'wrongExtensionSignature', 'noExtensionSignature', 'invalidExtension'],
      },
    ],
  },
  /** A validator proposes blocks that do not follow from the last block. Each of these blocks has one kind of fault. */
  'forged blocks': {
    seed: 2_000_013,
    network: { txEveryMs: 150 },
    lastsMs: 12_000,
    faults: [],
    byzantine: [{ node: 0, behaviours: ['wrongTime', 'wrongLastCommit', 'wrongValidators', 'wrongProposer'] }],
  },
  /**
   * A validator proposes each block in two encodings. The validators that receive the usual encoding have more than 2/3
   * of the power.
   */
  'two encodings': {
    seed: 2_000_017,
    network: { validators: 5, powers: [9n, 3n, 10n, 3n, 10n], txEveryMs: 150 },
    lastsMs: 6000,
    faults: [],
    byzantine: [{ node: 0, behaviours: ['otherEncoding'] }],
  },
  /**
   * The validator set changes again and again, and one validator is faulty. The faulty validator never has a third of
   * the power.
   */
  'changing liars': {
    seed: 2_000_007,
    network: { validators: 5, fullNodes: 1, extensionsFrom: 3, txEveryMs: 150 },
    faults: [
      ...[300, 700, 1500, 2300, 3100, 3900].map((at, i) => ({
        kind: 'validator' as const,
        at,
        node: 1 + (i % 5),
        power: [14, 8, 11, 16, 10, 7][i] as number,
      })),
      { kind: 'crash', at: 2600, node: 2, crash: 'power', downMs: 300 },
    ],
    byzantine: [{ node: 0, behaviours: ['equivocate', 'doublePropose', 'wrongLastCommit', 'wrongSignature'] }],
  },
  /**
   * Some clocks stop or are slow while the others continue. The time of a vote must still be later than the time of
   * its block.
   */
  'slow clocks': {
    seed: 2_000_008,
    network: { validators: 5 },
    faults: [
      { kind: 'skew', at: 400, node: 1, skewMs: -1500, forMs: 3000 },
      { kind: 'skew', at: 900, node: 2, skewMs: -1200, forMs: 2000 },
      { kind: 'drift', at: 0, node: 3, drift: -0.2, forMs: 4000 },
    ],
    byzantine: [],
  },
  /** Prevotes arrive too late for a lock, but early enough for the next proposal. */
  'late polkas': {
    seed: 2_000_009,
    network: {
      wire: SLOW_WIRE,
      consensus: {
        timeoutPropose: 130n * MS,
        timeoutProposeDelta: 3n * MS,
        timeoutPrevote: 1n * MS,
        timeoutPrevoteDelta: 3n * MS,
        timeoutPrecommit: 60n * MS,
        timeoutPrecommitDelta: 3n * MS,
      },
    },
    lastsMs: 6000,
    faults: [],
    byzantine: [{ node: 0, behaviours: ['equivocate', 'withhold'] }],
  },
  /**
   * One of four validators is faulty, so the other three must all vote. One of the three loses its power while it sends
   * a prevote. The WAL of this node has all votes of the round except this prevote. At the next start, its peers send
   * all these votes before the node has signed its prevote again.
   */
  'echoed vote': {
    seed: 53_727,
    network: { wire: { latencyMs: [0.5, 5], bandwidth: 5_000_000 }, disk: { syncMs: [5, 30], writeMs: [0.1, 5] } },
    lastsMs: 9000,
    faults: [{ kind: 'crashAtEffect', at: 1567, node: 3, effects: 45, when: 'before', crash: 'power', downMs: 1423 }],
    byzantine: [{ node: 0, behaviours: ['equivocate', 'doublePropose', 'invalidBlock', 'futureVotes'] }],
  },
  /** More transactions arrive than nodes may keep or remember. */
  crowded: {
    seed: 2_000_014,
    network: { txEveryMs: 3, mempoolSize: 40, mempoolSeen: 400 },
    lastsMs: 2500,
    faults: [],
    byzantine: [],
  },
  /**
   * The application accepts a transaction that a block already contains, and each transaction arrives from several
   * peers. So only the nodes can prevent that two blocks contain the same transaction, and they must prevent it.
   */
  'trusting application': {
    seed: 2_000_015,
    network: { validators: 5, txEveryMs: 8, appTakesAgain: true, wire: SLOW_WIRE },
    lastsMs: 2500,
    faults: [0, 1, 2].map((node) => ({ kind: 'repeat' as const, at: 0, node, rate: 1, forMs: 2500 })),
    byzantine: [],
  },
  /**
   * Nodes remove old blocks, and the consensus parameters change. Nodes have power failures, also while they remove
   * blocks.
   */
  forgetful: {
    seed: 2_000_410,
    network: {
      fullNodes: 1,
      extensionsFrom: 3,
      appKeepsBlocks: 6,
      appChangesParamsEvery: 3,
      txEveryMs: 150,
      redialMs: 300,
    },
    lastsMs: 10_000,
    faults: [
      { kind: 'validator', at: 1200, node: 4, power: 5 },
      ...powerLosses({
        count: 12,
        at: 2500,
        everyMs: 600,
        nodes: 5,
        downMs: 150,
        effects: { step: 29, below: 150 },
        first: 'before',
      }),
    ],
    byzantine: [],
  },
  ...CHOSEN_PEERS,
  ...BYZANTINE_PEERS,
}
