import { writeFileSync } from 'node:fs'
import { type Scenario, shrink } from '@org/simnet'
import { type NetworkJob, runNetwork } from './run-network.ts'
import { rerunOptions } from './totals.ts'

export interface OneOptions {
  /** The name with which `pnpm sim` can repeat the run. */
  readonly name: string
  /** The file to which the trace of all events is written. */
  readonly trace: string | undefined
}

/**
 * Runs one network. If the run violates an invariant, prints the violation and the smallest part of the network's plan
 * that still causes the violation. Returns true if there is no violation.
 */
export async function runOne({ scenario, rpc = false }: NetworkJob, options: OneOptions): Promise<boolean> {
  const lines: string[] = []
  // An empty file is written first, so that an unusable path is reported before the work begins.
  if (options.trace !== undefined) writeFileSync(options.trace, '')
  const onTrace = options.trace === undefined ? undefined : (line: string): void => void lines.push(line)
  const result = await runNetwork({ scenario, rpc }, onTrace)
  if (options.trace !== undefined) writeFileSync(options.trace, `${lines.join('\n')}\n`)
  const [first] = result.violations
  const { digest, heights, virtualMs, counts } = result
  console.log(describe(scenario))
  console.log(
    `heights ${heights}, virtual time ${(virtualMs / 1000).toFixed(1)} s, counts of faults ${JSON.stringify(counts)}`,
  )
  console.log(`digest of the trace ${digest}`)
  if (first === undefined) {
    console.log('violations = 0')
    return true
  }
  for (const { rule, detail, atMs } of result.violations)
    console.log(`${(atMs / 1000).toFixed(3)} s ${rule}: ${detail}`)
  console.log('the last lines of the trace:')
  for (const line of result.tail.slice(-40)) console.log(`  ${line}`)
  console.log('searching for the smallest set of faults that breaks the same rule …')
  const small = await shrink(scenario, first.rule, { run: (each) => runNetwork({ scenario: each, rpc }), attempts: 60 })
  console.log(describe(small))
  console.log(`to repeat this run: pnpm sim ${rerunOptions(options.name)}`)
  return false
}

function describe({ seed, network, faults, byzantine }: Scenario): string {
  const plain = JSON.stringify({ network, byzantine }, (_, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  )
  return [`seed ${seed} ${plain}`, ...faults.map((fault) => `  ${JSON.stringify(fault)}`)].join('\n')
}
