import { runCostCommand } from './cost/command.ts'
import { runDecodeCommand } from './decode/command.ts'
import { runRpcCommand } from './rpc/command.ts'
import { UsageError } from './usage.ts'

const HELP = `Searches for input that costs the node too much, or that a decoder does not refuse as it should. A door is a place where
input from outside enters the node.

usage: pnpm fuzz <command> [options]

  cost           sends each form of hostile input through each door, doubles its length each time, and measures processor
                 time and memory; growth that is more than linear, or above the door's figures in LIMITS.md, is a fault
    --door A,B     only these doors; pnpm fuzz cost --list names all of them with the code that they run
    --doublings N  number of times that the input is doubled, up to the limit of the door (default 6)
    --runs N       the best of N runs counts (default 5)
    --all          shows every form, not only those with a fault

  decode         gives every decoder random inputs, chosen by code coverage. Each input must be decoded, or refused with a
                 coded error, in time; a decoded value must be the same after encoding and decoding
    --inputs N     number of inputs for each decoder (default 100000)
    --minutes N    at most N minutes for each decoder (default: no limit)
    --decoder A,B  only these decoders; pnpm fuzz decode --list names all of them
    --seed N       seed of the random inputs (default 1)
    --workers N    decoders that run at once (default 1)
    --save         writes the inputs that reached new code into tooling/fuzz/corpus, in the smallest set that reaches all of it
    --record       adds the inputs and faults of this run to tooling/fuzz/ledger.json, with the hash of the decoders' code;
                   uses a seed that no recorded run of the decoder had
    --total N      with --record: stops when each decoder has N inputs in all recorded runs (at most --inputs in this one)
    --ledger       shows the recorded inputs of each decoder
    --list         names the decoders

  rpc            changes recorded requests at random and sends them, by URI, JSON-RPC and WebSocket, to cometbft
                 (COMETBFT_BIN, or on PATH), to a node with the default settings and to a strict node, all with the same
                 chain; a different answer is a fault, unless packages/rpc/DEVIATIONS.md lists the difference
    --requests N   number of requests (default 10000)
    --minutes N    at most N minutes
    --seed N       seed of the random inputs (default 1)
    --repeat JSON  sends one request (JSON, or a file with it) again, and shows all answers

An input with a fault is written to a file; its name is printed below the table. The exit code is then 1.
`

async function run([command, ...rest]: readonly string[]): Promise<boolean> {
  if (command === undefined || command === '--help' || command === 'help' || rest.includes('--help')) {
    console.log(HELP)
    return true
  }
  if (command === 'cost') return runCostCommand(rest)
  if (command === 'decode') return runDecodeCommand(rest)
  if (command === 'rpc') return runRpcCommand(rest)
  throw new UsageError(`there is no command ${command}: the commands are cost, decode and rpc`)
}

try {
  process.exitCode = (await run(process.argv.slice(2))) ? 0 : 1
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message} (pnpm fuzz --help)`)
  process.exitCode = 2
}
