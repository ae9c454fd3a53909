import { type CrashPoint, type CrashSweep, crashScenario, makeScenario, recordEffects } from '@org/simnet'
import type { Job } from './pool.ts'
import { describeCounts } from './totals.ts'

const SWEEP: CrashSweep = { heights: 30, validators: 4 }
/** Ways to lose what was not forced to disk, for each crash. */
const LOSSES = 3

/** A crash before and after each thing that a node does in 30 heights, the machine's and the process's. `every` leaves some out. */
export async function crashJobs(every: number): Promise<readonly Job[]> {
  const effects = await recordEffects(SWEEP)
  const kinds = new Map<string, number>()
  for (const effect of effects) {
    const kind = effect.split(' ').slice(0, 2).join(' ')
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  for (const line of describeCounts(kinds)) console.log(line)
  console.log(`${effects.length} effects in ${SWEEP.heights} heights`)
  const jobs: Job[] = []
  for (let effect = 1; effect <= effects.length; effect += every) {
    for (const when of ['before', 'after'] as const) {
      for (let loss = 0; loss < LOSSES; loss++) {
        const point = { effect, when, crash: 'power', loss } as const
        jobs.push({ name: `crash ${effect}/${when}/power/${loss}`, scenario: crashScenario(SWEEP, point) })
      }
      const point = { effect, when, crash: 'kill', loss: 0 } as const
      jobs.push({ name: `crash ${effect}/${when}/kill/0`, scenario: crashScenario(SWEEP, point) })
    }
  }
  return jobs
}

const LONE_HEIGHTS = 4
const LONE_LOSSES = [0, 1, 2, 3]

/** The crashes of a node that is alone, over a few heights: where a bug is looked for that few networks show. */
export async function loneCrashes(): Promise<readonly Job[]> {
  const effects = await recordEffects({ heights: LONE_HEIGHTS, validators: 1 })
  return LONE_LOSSES.flatMap((loss) =>
    effects.flatMap((_, index) =>
      (['before', 'after'] as const).map((when) =>
        loneCrash({ effect: index + 1, when, crash: 'power', loss }, LONE_HEIGHTS),
      ),
    ),
  )
}

function loneCrash(point: CrashPoint, heights: number): Job {
  const { effect, when, loss } = point
  const name = `lone crash ${effect}/${when}/${loss} of ${heights}`
  return { name, scenario: crashScenario({ heights, validators: 1 }, point) }
}

/** The network of a name that {@link loneCrashes} or a seed gave it. */
export function jobNamed(name: string): Job | undefined {
  const [, seed] = /^seed (\d+)$/.exec(name) ?? []
  if (seed !== undefined) return { name, scenario: makeScenario(Number(seed)) }
  const [, effect, when, loss, heights] = /^lone crash (\d+)\/(before|after)\/(\d+) of (\d+)$/.exec(name) ?? []
  if (effect === undefined) return undefined
  const point = {
    effect: Number(effect),
    when: when as 'before' | 'after',
    crash: 'power',
    loss: Number(loss),
  } as const
  return loneCrash(point, Number(heights))
}

/** The scenario that {@link crashJobs} named. */
export function crashAt(text: string) {
  const [, effect, when, crash, loss] = /^(\d+)\/(before|after)\/(power|kill)\/(\d+)$/.exec(text) ?? []
  if (effect === undefined) return undefined
  return crashScenario(SWEEP, {
    effect: Number(effect),
    when: when as 'before' | 'after',
    crash: crash as 'power' | 'kill',
    loss: Number(loss),
  })
}
