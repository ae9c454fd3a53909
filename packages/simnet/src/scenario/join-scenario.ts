import { SNAPSHOT_LIES } from '../byzantine/index.ts'
import type { Fault } from '../faults/index.ts'
import { SERVER_LIES } from '../servers/index.ts'
import { createRandomSource, type RandomSource } from '../world/index.ts'
import type { Scenario } from './make-scenario.ts'

/**
 * The approximate number of effects of a node from its start until it joins consensus. A crash comes at one of these
 * effects.
 */
const EFFECTS = 400
const SERVERS = 3

/** Makes a fault that happens while a node begins with a snapshot: a fault of this node or of one of its peers. */
function makeFault(random: RandomSource, { joiner, others }: { joiner: number; others: number }): Fault {
  const at = Math.round(random.between(500, 6000))
  const forMs = Math.round(random.between(100, 2500))
  const crash = random.chance(0.7) ? 'power' : 'kill'
  const downMs = Math.round(random.between(50, 1000))
  const kind = random.pick([
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
        effects: 1 + random.below(EFFECTS),
        when: random.chance(0.5) ? 'before' : 'after',
        crash,
        downMs,
      }
    case 'crash':
      return { kind, at, node: joiner, crash, downMs }
    case 'peerCrash':
      return { kind: 'crash', at, node: random.below(others), crash, downMs }
    case 'freeze':
    case 'fullDisk':
      return { kind, at, node: joiner, forMs }
    case 'failSync':
      return { kind, at, node: joiner }
    case 'slowDisk':
      return { kind, at, node: joiner, slowness: Math.round(random.between(5, 100)), forMs }
    case 'partition':
      return { kind, at, group: [joiner, random.below(others)], oneWay: random.chance(0.3), forMs }
    case 'loss':
      return { kind, at, node: joiner, rate: random.pick([0.05, 0.3]), forMs }
    case 'flap':
      return { kind, at, node: joiner, everyMs: Math.round(random.between(50, 500)), forMs }
    case 'appCrash':
      return { kind, at, node: joiner, method: random.pick(['offerSnapshot', 'applySnapshotChunk', 'info']) }
    case 'validator':
      return { kind, at, node: random.below(joiner + 1), power: 5 + random.below(6) }
  }
}

/** Makes a network from a seed. One of its nodes begins with a snapshot. */
export function makeJoinScenario(seed: number): Scenario {
  const random = createRandomSource(seed).fork('join')
  const validators = random.pick([3, 4, 4, 5])
  const fullNodes = random.pick([1, 1, 2, 3])
  const joiner = validators + fullNodes
  const liars = random.chance(0.5) ? 1 + random.below(fullNodes) : 0
  const lyingServer = random.chance(0.4) ? [{ server: random.below(SERVERS), lie: random.pick(SERVER_LIES) }] : []
  const faults = Array.from({ length: random.below(5) }, () => makeFault(random, { joiner, others: joiner }))
  return {
    seed,
    network: {
      validators,
      fullNodes,
      joiners: {
        nodes: 1,
        startAt: random.pick([4, 7, 12]),
        servers: Array.from({ length: SERVERS }, (_, index) => index),
        lies: lyingServer,
        trustBack: random.pick([2, 5, 20]),
      },
      appSnapshotsEvery: random.pick([1, 2, 3]),
      extensionsFrom: random.chance(0.4) ? random.pick([1, 6, 9]) : 0,
      initialHeight: random.chance(0.15) ? 1000 : 1,
      appIsInProcess: random.chance(0.6),
      appSavesEvery: random.pick([1, 1, 3]),
      appChangesParamsEvery: random.chance(0.3) ? 3 : 0,
      wire: random.pick([
        { latencyMs: [0.5, 5], bandwidth: 5_000_000 },
        { latencyMs: [10, 60], bandwidth: 1_000_000 },
      ]),
      disk: random.pick([
        { syncMs: [0.2, 2], writeMs: [0.02, 0.1] },
        { syncMs: [5, 30], writeMs: [0.1, 5] },
      ]),
      txEveryMs: random.pick([40, 150]),
      redialMs: 300,
    },
    lastsMs: 6000,
    faults: faults.toSorted((a, b) => a.at - b.at),
    byzantine: Array.from({ length: liars }, (_, index) => ({
      node: validators + index,
      behaviours: [random.pick(SNAPSHOT_LIES)],
    })),
  }
}
