import type { MethodName } from '@org/abci'
import { BEHAVIOURS, type Behaviour } from '../byzantine/index.ts'
import type { CrashKind } from '../disk/index.ts'
import type { Fault, FaultKind } from '../faults/index.ts'
import type { NetworkOptions } from '../network/index.ts'
import { createRandomSource, type RandomSource } from '../world/index.ts'

/** A network, its faults, and its faulty validators. */
export interface Scenario {
  readonly seed: number
  readonly network: Partial<NetworkOptions>
  readonly faults: readonly Fault[]
  /**
   * The virtual milliseconds until all faults are ended. The network runs at least until the last fault is over.
   * Default: 1500.
   */
  readonly lastsMs?: number
  readonly byzantine: readonly { readonly node: number; readonly behaviours: readonly Behaviour[] }[]
}

/** Faults begin after this time, in milliseconds. */
const FAULTS_FROM = 300
const FAULTS_UNTIL = 5000

/** The kinds of faults of connections, which `makeWireFault` makes. */
type WireFaultKind = 'loss' | 'repeat' | 'flap'
/**
 * The kinds of faults that only chosen scenarios have. Seeds never choose them, because then each seed would give
 * another network than before.
 */
type ChosenFaultKind = 'slowPart' | 'narrow' | 'leave' | 'signerAway' | 'hangUp' | 'oldDoubleSign'

/** The weight of each kind of fault. */
const WEIGHTS: Readonly<Record<Exclude<FaultKind, WireFaultKind | ChosenFaultKind>, number>> = {
  crash: 3,
  crashAtEffect: 6,
  freeze: 2,
  skew: 1,
  drift: 1,
  partition: 3,
  cut: 2,
  slowDisk: 1,
  failSync: 1,
  fullDisk: 1,
  readOnlyDisk: 1,
  appCrash: 1,
  appDelay: 1,
  validator: 2,
}
const KINDS = Object.entries(WEIGHTS).flatMap(([kind, weight]) =>
  Array<keyof typeof WEIGHTS>(weight).fill(kind as keyof typeof WEIGHTS),
)
const APP_METHODS: readonly MethodName[] = ['finalizeBlock', 'commit', 'prepareProposal', 'processProposal']

function makeFault(random: RandomSource, { total, validators }: { total: number; validators: number }): Fault {
  const at = Math.round(random.between(FAULTS_FROM, FAULTS_UNTIL))
  const node = random.below(total)
  const forMs = Math.round(random.between(100, 2500))
  const downMs = Math.round(random.between(50, 1500))
  const crash: CrashKind = random.chance(0.7) ? 'power' : 'kill'
  const kind = random.pick(KINDS)
  switch (kind) {
    case 'crash':
      return { kind, at, node, crash, downMs }
    case 'crashAtEffect':
      return {
        kind,
        at,
        node,
        effects: 1 + random.below(60),
        when: random.chance(0.5) ? 'before' : 'after',
        crash,
        downMs,
      }
    case 'freeze':
      return { kind, at, node, forMs }
    case 'skew':
      return { kind, at, node, skewMs: Math.round(random.between(-2000, 2000)), forMs }
    case 'drift':
      return { kind, at, node, drift: random.between(-0.05, 0.05), forMs }
    case 'partition': {
      const group = Array.from({ length: total }, (_, i) => i).filter(() => random.chance(0.4))
      return { kind, at, group, oneWay: random.chance(0.3), forMs }
    }
    case 'cut':
      return { kind, at, nodes: [node, random.below(total)] }
    case 'slowDisk':
      return { kind, at, node, slowness: Math.round(random.between(5, 200)), forMs }
    case 'failSync':
      return { kind, at, node }
    case 'fullDisk':
    case 'readOnlyDisk':
      return { kind, at, node, forMs }
    case 'appCrash':
      return { kind, at, node, method: random.pick(APP_METHODS) }
    case 'appDelay':
      return { kind, at, node, delayMs: Math.round(random.between(10, 400)), forMs }
    case 'validator':
      return { kind, at, node, power: node < validators ? 5 + random.below(10) : random.below(10) }
  }
}

function makeWireFault(random: RandomSource, total: number): Fault {
  const at = Math.round(random.between(FAULTS_FROM, FAULTS_UNTIL))
  const node = random.below(total)
  const forMs = Math.round(random.between(100, 2500))
  const kind = random.pick<WireFaultKind>(['loss', 'loss', 'repeat', 'repeat', 'flap'])
  switch (kind) {
    case 'loss':
      return { kind, at, node, rate: random.pick([0.01, 0.1, 0.4]), forMs }
    case 'repeat':
      return { kind, at, node, rate: random.pick([0.1, 0.5, 1]), forMs }
    case 'flap':
      return { kind, at, node, everyMs: Math.round(random.between(50, 1000)), forMs }
  }
}

/** Makes the network of a seed. */
export function makeScenario(seed: number): Scenario {
  const random = createRandomSource(seed).fork('scenario')
  const validators = random.pick([1, 2, 3, 4, 4, 4, 4, 5, 6, 7])
  const fullNodes = random.chance(0.3) ? 1 : 0
  const isEven = random.chance(0.6)
  const powers = Array.from({ length: validators }, () => (isEven ? 10n : BigInt(5 + random.below(20))))
  const total = validators + fullNodes
  const count = random.below(8)
  const faults = Array.from({ length: count }, () => makeFault(random, { total, validators }))
  const wireRandom = random.fork('wire')
  const wireFaults = Array.from({ length: wireRandom.below(4) }, () => makeWireFault(wireRandom, total))
  const power = powers.reduce((sum, each) => sum + each, 0n)
  // The faulty validator has less than a third of the power. If the faults include a change of the validators, no
  // validator is faulty, because such a change could raise the faulty validator's share.
  const mayLie = validators >= 4 && random.chance(0.4) && !faults.some(({ kind }) => kind === 'validator')
  const liar = random.below(validators)
  const byzantine =
    mayLie && (powers[liar] as bigint) * 3n < power
      ? [{ node: liar, behaviours: BEHAVIOURS.filter(() => random.chance(0.4)) }]
      : []
  return {
    seed,
    network: {
      validators,
      fullNodes,
      powers,
      extensionsFrom: random.chance(0.4) ? random.pick([1, 3]) : 0,
      initialHeight: random.chance(0.15) ? 1000 : 1,
      appIsInProcess: random.chance(0.6),
      appSavesEvery: random.fork('saves').pick([1, 1, 1, 4]),
      appDelayMs: random.chance(0.3) ? [0, 5] : [0, 0],
      peersPerNode: random.chance(0.2) ? 2 : Number.POSITIVE_INFINITY,
      wire: random.pick([
        { latencyMs: [0.5, 5], bandwidth: 5_000_000 },
        { latencyMs: [10, 60], bandwidth: 1_000_000 },
        { latencyMs: [1, 150], bandwidth: 500_000 },
      ]),
      disk: random.pick([
        { syncMs: [0.2, 2], writeMs: [0.02, 0.1] },
        { syncMs: [5, 30], writeMs: [0.1, 5] },
      ]),
      walHeadSize: random.chance(0.5) ? 20_000 : 10 * 1024 * 1024,
      txEveryMs: random.pick([0, 40, 150]),
      redialMs: wireRandom.pick([300, 1000, 0]),
    },
    faults: [...faults, ...wireFaults].sort((a, b) => a.at - b.at),
    byzantine,
  }
}
