import { makeScenario } from '@org/simnet'
import { type Command, parseCommand, UsageError } from './command.ts'
import { crashAt, crashJobs } from './crashes.ts'
import { runExplore } from './explore.ts'
import { findPlantedBugs } from './find-planted-bugs.ts'
import { runKill } from './kill.ts'
import { checkPlace, chosenJobs, jobNamed, joinJob, shortCrashes } from './named.ts'
import { range } from './pool.ts'
import { runMany } from './run-many-networks.ts'
import { runOne } from './run-one-network.ts'
import { runSpeed } from './speed.ts'

const HELP = `Searches networks of real nodes for faults, on a virtual clock, network and disk.

usage: pnpm sim [command] [options]

  --seeds A..B   runs the networks of these seeds on all cores; an interrupted run continues where it stopped
  --fresh        starts an interrupted run from its beginning
  --seed N       runs one network; shows the rule that was broken and the faults that were needed for it
  --trace FILE   with --seed: writes every step of the network to the file

  crash          crashes a node before and after each of its operations in 30 heights
    --only lone  crashes only in the network of one validator (--only four: only in the network of four validators)
    --every N    crashes only at every N-th operation
    --workers N  uses N cores
  --crash POINT  runs one of these crashes, such as four/120/before/power/0

  short          crashes a node in short runs: with each kind of data loss, with a slow database, or two times in one run;
                 --every and --workers are accepted too
    --only NAME  crashes only in one kind of run: lone, pair, four, 'slow blocks', …
  chosen         runs networks that were chosen by hand, because random seeds rarely make such networks
  join           runs networks in which a node begins with a snapshot, with crashes, and with peers and RPC servers that send
                 false data: --seeds A..B (default 1..200)
  --name NAME    repeats one of these runs, such as 'slow blocks crash 34/before/8' or 'chosen hasty'

  mutants        plants each known bug and searches for it; --only a,b takes only these bugs,
                 --searched N tries at most N seeds for each (default 400)
  kill           kills a real node with LevelDB, under load, --kills N times (default 200)
  explore        tries every order of the messages between four consensus machines in one round; --rounds 2 takes ten minutes and 3 GB
  speed          measures virtual heights per second with 4, 20 and 100 validators
`

async function run(command: Command): Promise<boolean> {
  switch (command.kind) {
    case 'help':
      console.log(HELP)
      return true
    case 'mutants':
      return findPlantedBugs(command)
    case 'explore':
      return runExplore(command.rounds)
    case 'speed':
      return runSpeed()
    case 'kill':
      return runKill(command.kills)
    case 'crash': {
      const { only, every } = command
      return runMany(await crashJobs(every, only), { ...command, name: `crash-${only ?? 'all'}-${every}` })
    }
    case 'short': {
      const { only, every } = command
      const jobs = (await shortCrashes(only)).filter((_, index) => index % every === 0)
      return runMany(jobs, { ...command, name: `short-${only ?? 'all'}-${every}` })
    }
    case 'chosen':
      return runMany(chosenJobs(), { ...command, name: 'chosen' })
    case 'join': {
      const { from, to } = command
      return runMany([...range(from, to)].map(joinJob), { ...command, name: `join-${from}-${to}` })
    }
    case 'seeds': {
      const { from, to } = command
      const jobs = [...range(from, to)].map((seed) => ({ name: `seed ${seed}`, scenario: makeScenario(seed) }))
      return runMany(jobs, { ...command, name: `seeds-${from}-${to}` })
    }
    case 'seed':
      return runOne({ scenario: makeScenario(command.seed) }, { name: `seed ${command.seed}`, trace: command.trace })
    case 'crash point':
      return runOne({ scenario: await crashAt(command.name) }, { name: `crash ${command.name}`, trace: command.trace })
    case 'name': {
      const job = jobNamed(command.name)
      if (job === undefined || !('scenario' in job))
        throw new UsageError(`--name ${command.name}: no network has this name; pnpm sim --help shows examples`)
      await checkPlace(command.name)
      return runOne(job, { name: command.name, trace: command.trace })
    }
  }
}

try {
  process.exitCode = (await run(parseCommand(process.argv.slice(2)))) ? 0 : 1
} catch (error) {
  // The operating system reported this error, for example because the file of `--trace` cannot be written.
  const isOfSystem = error instanceof Error && 'syscall' in error
  if (!(error instanceof UsageError) && !isOfSystem) throw error
  console.error(`${error.message} (pnpm sim --help)`)
  process.exitCode = 2
}
