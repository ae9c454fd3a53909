import { parseArgs } from 'node:util'
import { makeScenario } from '@org/simnet'
import { crashAt, crashJobs } from './crashes.ts'
import { runExplore } from './explore.ts'
import { runKill } from './kill.ts'
import { runMany } from './many.ts'
import { runMutants } from './mutants.ts'
import { chosenJobs, jobNamed, shortCrashes } from './named.ts'
import { runOne } from './one.ts'
import { range } from './pool.ts'
import { runSpeed } from './speed.ts'

const HELP = `Searches networks of real nodes for faults, on a virtual clock, network and disk.

usage: pnpm sim [command] [options]

  --seeds A..B   runs these networks on all cores; an interrupted run goes on where it stopped
  --fresh        forgets what an interrupted run had done
  --seed N       runs one network and shows what broke, and which faults were needed for that
  --trace FILE   with --seed: writes everything that happened there

  crash          crashes a node before and after each thing that it does in 30 heights; --only lone or --only four takes
                 the node that is alone or the one of four, --every N each N-th place, --workers N so many cores
  --crash POINT  runs one of these, such as four/120/before/power/0

  short          crashes a node in short runs, with each loss, with a slow database, or twice; --only lone, pair, four,
                 'slow blocks', … takes one of them; --every N, --workers N
  chosen         networks that chance makes rarely
  --name NAME    runs one of these, such as 'slow blocks crash 34/before/8' or 'chosen hasty'

  mutants        plants each known bug and looks for it; --only a,b takes only these,
                 --searched N tries so many seeds for each (default 400)
  kill           kills a real node with LevelDB, under load, --kills N times (default 200)
  explore        every order of messages of four machines in one round; --rounds 2 takes minutes
  speed          virtual heights a second with 4, 20 and 100 validators
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    trace: { type: 'string' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '1' },
    kills: { type: 'string', default: '200' },
    crash: { type: 'string' },
    name: { type: 'string' },
    every: { type: 'string', default: '1' },
    workers: { type: 'string' },
    searched: { type: 'string', default: '400' },
    fresh: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

function seedsOf(text: string): readonly [number, number] {
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(text) ?? []
  if (from === undefined || to === undefined || Number(from) > Number(to)) {
    console.error(`--seeds ${text}: give a first and a last seed, such as --seeds 1..200`)
    process.exit(2)
  }
  return [Number(from), Number(to)]
}

async function main(): Promise<boolean> {
  const [command] = positionals
  if (command === 'mutants') {
    return runMutants({ only: values.only?.split(','), searched: Number(values.searched) })
  }
  if (command === 'explore') return runExplore(Number(values.rounds))
  if (command === 'speed') return runSpeed()
  if (command === 'kill') return runKill(Number(values.kills))
  const { fresh, trace } = values
  const workers = values.workers === undefined ? undefined : Number(values.workers)
  if (command === 'crash') {
    const jobs = await crashJobs(Number(values.every), values.only)
    return runMany(jobs, { name: `crash-${values.only ?? 'all'}-${values.every}`, fresh, workers })
  }
  if (command === 'short') {
    const jobs = (await shortCrashes(values.only)).filter((_, index) => index % Number(values.every) === 0)
    return runMany(jobs, { name: `short-${values.only ?? 'all'}-${values.every}`, fresh, workers })
  }
  if (command === 'chosen') return runMany(chosenJobs(), { name: 'chosen', fresh, workers })
  if (values.name !== undefined) {
    const job = jobNamed(values.name)
    if (job !== undefined && 'scenario' in job) return runOne(job.scenario, { name: values.name, trace })
  }
  if (values.crash !== undefined) {
    const scenario = await crashAt(values.crash)
    if (scenario !== undefined) return runOne(scenario, { name: `crash ${values.crash}`, trace })
  }
  if (values.seed !== undefined) {
    return runOne(makeScenario(Number(values.seed)), { name: `seed ${values.seed}`, trace })
  }
  if (values.seeds !== undefined) {
    const [from, to] = seedsOf(values.seeds)
    const jobs = [...range(from, to)].map((seed) => ({ name: `seed ${seed}`, scenario: makeScenario(seed) }))
    return runMany(jobs, { name: `seeds-${from}-${to}`, fresh, workers })
  }
  console.log(HELP)
  return command === undefined || values.help
}

process.exitCode = (await main()) ? 0 : 1
