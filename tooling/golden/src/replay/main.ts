import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { recordingJson } from '../recordings.ts'
import type { Comparison, DeviationRule } from './compare.ts'
import { runScenario } from './run-scenario.ts'

const HELP = `Replays recorded exchanges against a node and counts the equal answers.

usage: node tooling/golden/src/replay/main.ts [options] [scenario]

  scenario           a folder of recordings (default kvstore-single)
  --runs a,b         only these runs
  --binary FILE      the node (default apps/node/bin/halley)
  --start-args ARGS  more arguments for it, separated by spaces
  --keep             keep the homes
  --limit N          print at most N differences (default 20)
`

const root = new URL('../../../../', import.meta.url).pathname
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string' },
    binary: { type: 'string', default: join(root, 'apps/node/bin/halley') },
    'start-args': { type: 'string', default: '--proxy_app=kvstore-v0.38' },
    keep: { type: 'boolean', default: false },
    limit: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(HELP)
else await main()

async function main(): Promise<void> {
  const scenario = positionals[0] ?? 'kvstore-single'
  const all = Object.keys(recordingJson<{ runs: Record<string, unknown> }>(`${scenario}/runs.json`).runs)
  const runs = values.runs?.split(',') ?? all
  const file = await readFile(join(root, 'packages/rpc/deviations.json'), 'utf8').catch(() => '{"rules":[]}')
  const deviations = (JSON.parse(file) as { rules: DeviationRule[] }).rules
  const workDirectory = await mkdtemp(join(tmpdir(), 'halley-golden-'))
  const startArgs = values['start-args'].split(' ').filter((arg) => arg !== '')
  const count: Record<Comparison, number> = { equal: 0, volatile: 0, deviation: 0, different: 0 }
  let shown = 0
  for (const run of runs) {
    const judged = await runScenario({ scenario, run, binary: values.binary, startArgs, workDirectory, deviations })
    for (const { id, comparison, differences } of judged) {
      count[comparison]++
      if (comparison !== 'different' || shown++ >= Number(values.limit)) continue
      for (const { path, wanted, got } of differences.slice(0, 3)) {
        console.log(`${id}  ${path}\n  wanted ${short(wanted)}\n  got    ${short(got)}`)
      }
    }
  }
  if (values.keep) console.log(`homes: ${workDirectory}`)
  else await rm(workDirectory, { recursive: true, force: true })
  console.log(
    `${scenario}: ${count.equal} equal byte for byte, ${count.volatile} equal except for volatile paths, ` +
      `${count.deviation} declared deviations, ${count.different} different`,
  )
  process.exitCode = count.different === 0 ? 0 : 1
}

function short(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 300)
}
