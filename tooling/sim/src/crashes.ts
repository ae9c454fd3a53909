import {
  type CrashPlace,
  type CrashPoint,
  type CrashRecord,
  type CrashSweep,
  crashPoints,
  crashScenario,
  recordCrashes,
  type Scenario,
} from '@org/simnet'
import { checkNames, UsageError } from './command.ts'
import type { Job } from './pool.ts'

interface NamedSweep extends CrashSweep {
  /**
   * The maximum number of outcomes to try for one place of a crash and one kind of crash. An outcome is one choice of
   * the unsynced data that the crash loses. Default: the constant `MAX_CRASH_OUTCOMES` of simnet.
   */
  readonly maxOutcomes?: number
}

/**
 * The sweeps by their names. A sweep repeats one run, each time with a crash at another place: directly before or after
 * an effect of the node. A crash loses a part of the data that is not synced to disk. With one validator, every
 * possible loss is tried at each place. With four validators, only some losses are tried. Each run also has a full
 * node.
 */
const SWEEPS: Readonly<Record<string, NamedSweep>> = {
  lone: { heights: 30, validators: 1 },
  four: { heights: 30, validators: 4, maxOutcomes: 1 },
}

/**
 * Returns the runs of all entries of `SWEEPS`, or only of the entry `only`. Each run has one crash, directly before or
 * after an effect of the node. If `every` is N, only every N-th place for a crash is used.
 */
export async function crashJobs(every: number, only: string | undefined): Promise<readonly Job[]> {
  if (only !== undefined) checkNames([only], Object.keys(SWEEPS))
  const jobs: Job[] = []
  for (const [name, sweep] of Object.entries(SWEEPS)) {
    if (only !== undefined && only !== name) continue
    const record = await recordCrashes(sweep)
    const places = record.places.filter((place) => !place.isSame)
    const points = crashPoints(
      places.filter((_, index) => index % every === 0),
      sweep.maxOutcomes,
    )
    console.log(describeRecord(name, record, { maxOutcomes: sweep.maxOutcomes, runs: points.length }))
    for (const point of points) {
      jobs.push({ name: `crash ${name}/${nameOf(point)}`, scenario: crashScenario(sweep, point, point.atMs) })
    }
  }
  return jobs
}

const nameOf = ({ effect, when, crash, loss }: CrashPoint): string => `${effect}/${when}/${crash}/${loss}`

function describeRecord(
  name: string,
  { places, heights, txs, validatorChanges, extendedHeights }: CrashRecord,
  { maxOutcomes, runs }: { maxOutcomes: number | undefined; runs: number },
): string {
  const lines = [
    `${name}: ${heights} heights, ${txs} transactions, ${validatorChanges} changes of validators, extensions in ${extendedHeights} heights`,
    `  ${'effect'.padEnd(16)}${['count', 'places', 'same', 'crashed', 'losses'].map((head) => head.padStart(9)).join('')}`,
  ]
  const kinds = Map.groupBy(places, kindOf)
  for (const [kind, all] of [...kinds].sort(([a], [b]) => (a < b ? -1 : 1))) lines.push(row(kind, all, maxOutcomes))
  lines.push(row('all', places, maxOutcomes), `  ${runs} runs`)
  return lines.join('\n')
}

function kindOf({ name }: CrashPlace): string {
  return name
    .split(' ')
    .slice(0, name.startsWith('disk') ? 2 : 1)
    .join(' ')
}

function row(kind: string, places: readonly CrashPlace[], maxOutcomes: number | undefined): string {
  const distinct = places.filter(({ isSame }) => !isSame)
  const cells = [
    places.filter(({ when }) => when === 'before').length,
    places.length,
    places.length - distinct.length,
    distinct.length,
    crashPoints(distinct, maxOutcomes).length,
  ]
  return `  ${kind.padEnd(16)}${cells.map((cell) => String(cell).padStart(9)).join('')}`
}

/** Returns the scenario of a crash from its name. Throws a {@link UsageError} if the run has no such crash. */
export async function crashAt(text: string): Promise<Scenario> {
  const [, name = '', effect, when, crash, loss] =
    /^(\w+)\/(\d+)\/(before|after)\/(power|kill)\/(\d+)$/.exec(text) ?? []
  const sweep = SWEEPS[name]
  if (sweep === undefined) {
    throw new UsageError(`--crash ${text}: give a point such as lone/84/after/power/0 or four/120/before/kill/0`)
  }
  const { places } = await recordCrashes(sweep)
  const point = { effect: Number(effect), when, crash, loss: Number(loss) } as CrashPoint
  const place = findCrashPlace(places, point)
  if (typeof place === 'string') throw new UsageError(`--crash ${text}: ${place}`)
  return crashScenario(sweep, point, place.atMs)
}

/**
 * Returns the place of a crash point. The parameter `places` lists all places at which the node can crash during the
 * run: directly before and directly after each effect of the node. Returns an error text if `places` does not contain
 * the place of the crash point, or if a crash at this place cannot have the data loss of the crash point.
 */
export function findCrashPlace(
  places: readonly CrashPlace[],
  { effect, when, crash, loss }: CrashPoint,
): CrashPlace | string {
  const place = places.find((each) => each.effect === effect && each.when === when)
  if (place === undefined) return `the run has no such point: its operations are 1 to ${places.at(-1)?.effect}`
  if (loss >= place.losses[crash])
    return `this crash has no such data loss: its data losses are 0 to ${place.losses[crash] - 1}`
  return place
}
