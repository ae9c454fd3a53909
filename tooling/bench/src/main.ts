import { mkdir, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { makeTemporaryFolder } from '@org/golden'
import { messageOf } from '@org/runtime'
import { Presets, SingleBar } from 'cli-progress'
import { CHAIN_CACHE } from './chain-cache.ts'
import { KINDS, makePlan } from './plan.ts'
import { formatTable, type Row } from './table.ts'
import {
  DEVNET_WORKLOADS,
  EXPLORER_WORKLOADS,
  HOSTILE_WORKLOADS,
  LIGHT_WORKLOADS,
  NETWORK_WORKLOADS,
  RPC_WORKLOADS,
  STATESYNC_WORKLOADS,
  WORKLOADS,
  type Workload,
} from './workloads/index.ts'

const HELP = `Measures Halley, and also the reference if 'cometbft' and 'abci-cli' are on PATH (or at COMETBFT_BIN and ABCI_CLI_BIN).
Each round measures one, then the other, so that a change in the machine's speed affects both.

usage: pnpm bench [network | rpc | light | statesync | devnet | explorer | hostile] [smoke] [options]

  network        networks of nodes instead of one node
  rpc            requests to a node, and the block intervals of the node during them
  light          light clients that verify a made chain
  statesync      nodes that join a made chain by state sync
  devnet         halley devnet --control, compared with CometMock and Anvil if 'cometmock' and 'anvil' are on PATH (or at COMETMOCK_BIN and ANVIL_BIN)
  explorer       block intervals of a node while pages of its explorer are open; needs a Chromium; Halley only
  hostile        a node under attack, compared with the same node without the attack; Halley only, on the loopback address
  smoke          a short form: one round, seconds instead of minutes
  --only a,b     run only these workloads
  --rounds N     number of rounds (default 3)
  --beside DIR   compares with Halley in the clone DIR, for example at an older commit, instead of the reference
  --heights N    height of the chain of 'statesync' (default 20,000; short form: 600)
  --state N      size of the application's state in MiB for 'statesync' (default 1,024; short form: 8)
  --json FILE    file for the figures (default halley-bench.json in the folder for temporary files)

The chains of 'light' and 'statesync' are made once and stay in ${relative(process.cwd(), CHAIN_CACHE) || CHAIN_CACHE} (at most 6 chains; besides the chain in use, at most 8 GiB).
A chain is made again when its size or the code that makes it changes. The folder may be removed at any time.

workloads:
${listed(WORKLOADS)}

workloads of networks:
${listed(NETWORK_WORKLOADS)}

workloads of the RPC:
${listed(RPC_WORKLOADS)}

workloads of light clients:
${listed(LIGHT_WORKLOADS)}

workloads of state sync:
${listed(STATESYNC_WORKLOADS)}

workloads of a devnet:
${listed(DEVNET_WORKLOADS)}

workloads of the explorer:
${listed(EXPLORER_WORKLOADS)}

attacks, each with the block interval and the memory of two validators and four clients, without and with the attack:
${HOSTILE_WORKLOADS.map(({ name }) => `  ${name}`).join('\n')}
`

function listed(workloads: readonly Pick<Workload, 'name' | 'about'>[]): string {
  return workloads.map(({ name, about }) => `  ${name.padEnd(19)} ${about}`).join('\n')
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'string' },
    beside: { type: 'string' },
    heights: { type: 'string' },
    state: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(HELP)
else await main()

async function main(): Promise<void> {
  const smoke = positionals.includes('smoke')
  const rounds = smoke ? 1 : Number(values.rounds)
  const only = values.only?.split(',')
  const sizes = {
    ...(values.heights === undefined ? {} : { heights: Number(values.heights) }),
    ...(values.state === undefined ? {} : { stateMegabytes: Number(values.state) }),
  }
  const kind = KINDS.find((name) => positionals.includes(name))
  const plan = makePlan(kind, values.beside)
  const { subjects, notes } = plan
  const workloads = plan.workloads.filter(({ name }) => only === undefined || only.includes(name))
  await using temporary = await makeTemporaryFolder('halley-bench-')
  const directory = temporary.path
  const rows = new Map<string, { metric: string; unit: string; values: Record<string, number[]> }>()
  const failures: string[] = []
  const bar = new SingleBar(
    { format: '{bar} {value}/{total}  {what}', clearOnComplete: true, noTTYOutput: false },
    Presets.shades_classic,
  )
  if (process.stderr.isTTY) bar.start(workloads.length * rounds * subjects.length, 0, { what: '' })
  for (const workload of workloads) {
    for (let round = 0; round < rounds; round++) {
      // In every second round of the benchmark, the order of the measured nodes is reversed, so that no node is always
      // the first.
      for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
        const folder = join(directory, `${workload.name}-${round}-${subject}`)
        await mkdir(folder)
        try {
          for (const { metric, unit, value } of await workload.run(subject, { directory: folder, smoke, sizes })) {
            const row = rows.get(metric) ?? { metric, unit, values: {} }
            rows.set(metric, row)
            const list = row.values[subject] ?? []
            list.push(value)
            row.values[subject] = list
          }
        } catch (error) {
          failures.push(`${workload.name}, ${subject}: ${messageOf(error)}`)
        }
        await rm(folder, { recursive: true, force: true })
        bar.increment(1, { what: `${workload.name} ${subject}` })
      }
    }
  }
  bar.stop()
  const list: Row[] = [...rows.values()]
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB`
  console.log(`${machine}, node ${process.version}, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}\n`)
  console.log(formatTable(list, subjects))
  for (const note of notes) console.log(`\n${note}`)
  for (const failure of failures) console.log(`failed: ${failure}`)
  const file = values.json ?? join(tmpdir(), 'halley-bench.json')
  await writeFile(
    file,
    `${JSON.stringify({ machine, node: process.version, rounds, rows: list, failures }, null, 2)}\n`,
  )
  console.log(`\nfigures: ${file}`)
  process.exitCode = failures.length === 0 ? 0 : 1
}
