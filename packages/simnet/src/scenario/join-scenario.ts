import { SNAPSHOT_LIES } from '../byzantine/index.ts'
import type { Fault } from '../faults/index.ts'
import { SERVER_LIES } from '../servers/index.ts'
import { createDice, type Dice } from '../world/index.ts'
import type { Scenario } from './make-scenario.ts'

/**
 * The approximate number of effects of a node from its start until it joins consensus. A crash comes at one of these
 * effects.
 */
const EFFECTS = 400
const SERVERS = 3

/** Makes a fault that happens while a node begins with a snapshot: a fault of this node or of one of its peers. */
function makeFault(dice: Dice, { joiner, others }: { joiner: number; others: number }): Fault {
  const at = Math.round(dice.between(500, 6000))
  const forMs = Math.round(dice.between(100, 2500))
  const crash = dice.chance(0.7) ? 'power' : 'kill'
  const downMs = Math.round(dice.between(50, 1000))
  const kind = dice.pick([
    ...([
      'crashAtEffect',
      'crashAtEffect',
      'crashAtEffect',
      'crash',
      'freeze',
      'slowDisk',
      'fullDisk',
      'failSync',
    ] as const),
    ...(['partition', 'loss', 'flap', 'peerCrash', 'appCrash', 'validator'] as const),
  ])
  switch (kind) {
    case 'crashAtEffect':
      return {
        kind,
        at: 0,
        node: joiner,
        effects: 1 + dice.below(EFFECTS),
        when: dice.chance(0.5) ? 'before' : 'after',
        crash,
        downMs,
      }
    case 'crash':
      return { kind, at, node: joiner, crash, downMs }
    case 'peerCrash':
      return { kind: 'crash', at, node: dice.below(others), crash, downMs }
    case 'freeze':
    case 'fullDisk':
      return { kind, at, node: joiner, forMs }
    case 'failSync':
      return { kind, at, node: joiner }
    case 'slowDisk':
      return { kind, at, node: joiner, slowness: Math.round(dice.between(5, 100)), forMs }
    case 'partition':
      return { kind, at, group: [joiner, dice.below(others)], oneWay: dice.chance(0.3), forMs }
    case 'loss':
      return { kind, at, node: joiner, rate: dice.pick([0.05, 0.3]), forMs }
    case 'flap':
      return { kind, at, node: joiner, everyMs: Math.round(dice.between(50, 500)), forMs }
    case 'appCrash':
      return { kind, at, node: joiner, method: dice.pick(['offerSnapshot', 'applySnapshotChunk', 'info']) }
    case 'validator':
      return { kind, at, node: dice.below(joiner + 1), power: 5 + dice.below(6) }
  }
}

/** Makes a network from a seed. One of its nodes begins with a snapshot. */
export function makeJoinScenario(seed: number): Scenario {
  const dice = createDice(seed).fork('join')
  const validators = dice.pick([3, 4, 4, 5])
  const fullNodes = dice.pick([1, 1, 2, 3])
  const joiner = validators + fullNodes
  const liars = dice.chance(0.5) ? 1 + dice.below(fullNodes) : 0
  const lyingServer = dice.chance(0.4) ? [{ server: dice.below(SERVERS), lie: dice.pick(SERVER_LIES) }] : []
  const faults = Array.from({ length: dice.below(5) }, () => makeFault(dice, { joiner, others: joiner }))
  return {
    seed,
    network: {
      validators,
      fullNodes,
      joiners: {
        nodes: 1,
        startAt: dice.pick([4, 7, 12]),
        servers: Array.from({ length: SERVERS }, (_, index) => index),
        lies: lyingServer,
        trustBack: dice.pick([2, 5, 20]),
      },
      appSnapshotsEvery: dice.pick([1, 2, 3]),
      extensionsFrom: dice.chance(0.4) ? dice.pick([1, 6, 9]) : 0,
      initialHeight: dice.chance(0.15) ? 1000 : 1,
      appIsInProcess: dice.chance(0.6),
      appSavesEvery: dice.pick([1, 1, 3]),
      appChangesParamsEvery: dice.chance(0.3) ? 3 : 0,
      wire: dice.pick([
        { latencyMs: [0.5, 5], bandwidth: 5_000_000 },
        { latencyMs: [10, 60], bandwidth: 1_000_000 },
      ]),
      disk: dice.pick([
        { syncMs: [0.2, 2], writeMs: [0.02, 0.1] },
        { syncMs: [5, 30], writeMs: [0.1, 5] },
      ]),
      txEveryMs: dice.pick([40, 150]),
      redialMs: 300,
    },
    lastsMs: 6000,
    faults: faults.toSorted((a, b) => a.at - b.at),
    byzantine: Array.from({ length: liars }, (_, index) => ({
      node: validators + index,
      behaviours: [dice.pick(SNAPSHOT_LIES)],
    })),
  }
}
