import { DB_NAMES } from '@org/engine/storage'
import {
  CHOSEN,
  type CrashKind,
  type CrashPoint,
  type CrashSweep,
  crashPoints,
  crashScenario,
  makeJoinScenario,
  makeScenario,
  recordCrashes,
  type Scenario,
  WAL_FILE,
} from '@org/simnet'
import { checkNames, UsageError } from './command.ts'
import { findCrashPlace } from './crashes.ts'
import type { Job } from './pool.ts'

/**
 * The block store writes slowly, so a block is durable long after its decision. A crash before the block is durable
 * shows which other data were durable too early.
 */
const SLOW_BLOCKS = { heights: 3, validators: 1, slow: { [DB_NAMES.blocks]: 40 } }

/** Clients send all transactions over RPC, and two nodes have a power failure during the run. */
const RPC_CLIENTS: Scenario = {
  seed: 2_000_601,
  network: { fullNodes: 1, redialMs: 300 },
  lastsMs: 3500,
  faults: [
    { kind: 'crash', at: 900, node: 1, crash: 'power', downMs: 400 },
    { kind: 'crash', at: 1900, node: 4, crash: 'power', downMs: 300 },
  ],
  byzantine: [],
}

interface ShortRun extends CrashSweep {
  /** The kind of the crash. Default: `power`. */
  readonly crash?: CrashKind
}

/**
 * Short runs that are repeated with every possible crash. They find bugs that few of the networks made from seeds show.
 * In most of these runs, the other nodes cannot decide without the crashed node: the crashed node is the only
 * validator, or the other validators have too little power.
 */
const SHORT: Readonly<Record<string, ShortRun>> = {
  lone: { heights: 4, validators: 1 },
  pair: { heights: 3, validators: 2 },
  four: { heights: 3, validators: 4 },
  'slow blocks': SLOW_BLOCKS,
  'slow log': { ...SLOW_BLOCKS, slow: { ...SLOW_BLOCKS.slow, [WAL_FILE]: 15 } },
  'many heads': { ...SLOW_BLOCKS, walHeadSize: 2000 },
  // The database in `slow` is so slow that one write takes longer than the time between two heights.
  'slow index': { heights: 6, validators: 1, slow: { [DB_NAMES.txIndex]: 400 } },
  'slow state': { heights: 6, validators: 1, slow: { [DB_NAMES.state]: 400 } },
  // At each height, the node prunes one old height.
  pruning: { heights: 7, validators: 1, keepBlocks: 2 },
  // A node joins with a snapshot from the other nodes.
  joining: { heights: 14, validators: 3, joins: true },
  again: { heights: 3, validators: 1, again: { effects: 15, crash: 'kill' } },
  // The second crash happens one height after the first crash.
  'slow blocks again': { ...SLOW_BLOCKS, again: { effects: 52, crash: 'kill', loss: 0 } },
  // A power failure comes soon after the restart of a killed process. The unsynced writes of the killed process are
  // lost.
  'killed and power': { ...SLOW_BLOCKS, crash: 'kill', again: { effects: 8, crash: 'power', loss: 0 } },
}

/** Returns all crashes of the short run `only`. Without `only`, returns the crashes of all short runs. */
export async function shortCrashes(only?: string): Promise<readonly Job[]> {
  if (only !== undefined) checkNames([only], Object.keys(SHORT))
  const jobs: Job[] = []
  for (const [name, sweep] of Object.entries(SHORT)) {
    if (only !== undefined && only !== name) continue
    const { crash = 'power' } = sweep
    const { places } = await recordCrashes(sweep)
    const points = crashPoints(
      places.map(({ losses, ...place }) => ({ ...place, losses: { power: losses[crash], kill: 0 } })),
    )
    jobs.push(...points.map((point) => shortCrash(name, point)))
  }
  return jobs
}

function shortCrash(name: string, { effect, when, loss }: Pick<CrashPoint, 'effect' | 'when' | 'loss'>): Job {
  const run = SHORT[name] as ShortRun
  const scenario = crashScenario(run, { effect, when, loss, crash: run.crash ?? 'power' })
  return { name: `${name} crash ${effect}/${when}/${loss}`, scenario }
}

/** Returns the network of a seed in which one node begins with a snapshot. */
export function joinJob(seed: number): Job {
  return { name: `join ${seed}`, scenario: makeJoinScenario(seed) }
}

/** Returns the networks that were chosen by hand because they show certain bugs. */
export function chosenJobs(): readonly Job[] {
  const plain = Object.entries(CHOSEN).map(([name, scenario]) => ({ name: `chosen ${name}`, scenario }))
  return [...plain, { name: 'chosen rpc clients', scenario: RPC_CLIENTS, rpc: true }]
}

/**
 * Returns the job with this name: the network of a seed, a chosen network, or a crash of {@link shortCrashes}. Returns
 * `undefined` for any other name.
 */
export function jobNamed(name: string): Job | undefined {
  const [, seed] = /^seed (\d+)$/.exec(name) ?? []
  if (seed !== undefined) return { name, scenario: makeScenario(Number(seed)) }
  const [, join] = /^join (\d+)$/.exec(name) ?? []
  if (join !== undefined) return joinJob(Number(join))
  const chosen = chosenJobs().find((job) => job.name === name)
  if (chosen !== undefined) return chosen
  const crash = shortCrashOf(name)
  return crash && shortCrash(crash.run, crash)
}

interface NamedCrash extends Pick<CrashPoint, 'effect' | 'when' | 'loss'> {
  readonly run: string
}

function shortCrashOf(name: string): NamedCrash | undefined {
  const [, run = '', effect, when, loss] = /^([a-z ]+) crash (\d+)\/(before|after)\/(\d+)$/.exec(name) ?? []
  if (SHORT[run] === undefined) return undefined
  return { run, effect: Number(effect), when: when as 'before' | 'after', loss: Number(loss) }
}

/** Throws a {@link UsageError} if `name` names a crash, and the run has no such crash. */
export async function checkPlace(name: string): Promise<void> {
  const named = shortCrashOf(name)
  if (named === undefined) return
  const sweep = SHORT[named.run] as ShortRun
  const { places } = await recordCrashes(sweep)
  const place = findCrashPlace(places, { ...named, crash: sweep.crash ?? 'power' })
  if (typeof place === 'string') throw new UsageError(`--name ${name}: ${place}`)
}
