import { parseArgs } from 'node:util'
import { runMany } from './many.ts'
import { runMutants } from './mutants.ts'
import { runOne } from './one.ts'
import { runSpeed } from './speed.ts'

const HELP = `Searches networks of real nodes for faults, on a virtual clock, network and disk.

usage: pnpm sim [command] [options]

  --seeds A..B   runs these networks on all cores; an interrupted run goes on where it stopped
  --fresh        forgets what an interrupted run had done
  --seed N       runs one network and shows what broke, and which faults were needed for that
  --trace FILE   with --seed: writes everything that happened there

  mutants        plants each known bug and looks for it; --only a,b takes only these
  speed          virtual heights a second with 4, 20 and 100 validators
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    trace: { type: 'string' },
    only: { type: 'string' },
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
  if (command === 'mutants') return runMutants(values.only?.split(','))
  if (command === 'speed') return runSpeed()
  if (values.seed !== undefined) return runOne(Number(values.seed), { trace: values.trace })
  if (values.seeds !== undefined) return runMany(...seedsOf(values.seeds), { fresh: values.fresh })
  console.log(HELP)
  return command === undefined || values.help
}

process.exitCode = (await main()) ? 0 : 1
