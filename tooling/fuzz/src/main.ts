import { runCostCommand } from './cost/command.ts'
import { runDecodeCommand } from './decode/command.ts'
import { runRpcCommand } from './rpc/command.ts'
import { UsageError } from './usage.ts'

const HELP = `Searches the doors of the node for input that costs too much or that a decoder does not refuse as it should.

usage: pnpm fuzz <command> [options]

  cost           lets hostile input of each form come through each door, twice as long each time, and measures processor
                 time and memory: more than linear, or more than the figures of the door (LIMITS.md), is a fault
    --door A,B     only these doors; pnpm fuzz cost --list names all of them with the code that they run
    --doublings N  how often the input is doubled up to the limit of the door (default 6)
    --runs N       the best of so many runs counts (default 5)
    --all          shows every form, and not only those at fault

  decode         gives every decoder inputs made by chance and kept by coverage: each one is decoded or refused
                 with a coded error, what was decoded is encoded and decoded to the same, and nothing hangs
    --inputs N     so many inputs for each decoder (default 100000)
    --minutes N    at most so many minutes for each decoder (default: no limit)
    --decoder A,B  only these decoders; pnpm fuzz decode --list names all of them
    --seed N       another run of chance (default 1)
    --workers N    so many decoders at once (default 1)
    --save         writes the inputs that went new ways into tooling/fuzz/corpus, as few as go all ways
    --record       adds the inputs and faults of this run to tooling/fuzz/ledger.json, with the hash of the decoders' code;
                   uses a seed that no recorded run of the decoder had
    --total N      with --record: stops when each decoder has N inputs in all recorded runs (at most --inputs in this one)
    --ledger       shows the recorded inputs of each decoder
    --list         names the decoders

  rpc            sends requests made by chance from the recorded ones, by URI, JSON-RPC and WebSocket, to cometbft
                 (COMETBFT_BIN, or on PATH), to a node with the default settings and to a strict one, all with the same
                 chain; an answer that differs without being declared in packages/rpc/DEVIATIONS.md is a fault
    --requests N   so many requests (default 10000)
    --minutes N    at most so many minutes
    --seed N       another run of chance (default 1)
    --repeat JSON  sends one request again, or that in a file, and shows all answers

An input at fault is written to a file, whose name stands below the table. The exit code is 1 if there is one.
`

async function run([command, ...rest]: readonly string[]): Promise<boolean> {
  if (command === undefined || command === '--help' || command === 'help' || rest.includes('--help')) {
    console.log(HELP)
    return true
  }
  if (command === 'cost') return runCostCommand(rest)
  if (command === 'decode') return runDecodeCommand(rest)
  if (command === 'rpc') return runRpcCommand(rest)
  throw new UsageError(`${command} is no command`)
}

try {
  process.exitCode = (await run(process.argv.slice(2))) ? 0 : 1
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message} (pnpm fuzz --help)`)
  process.exitCode = 2
}
