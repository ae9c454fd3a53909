import { type Job, whatBroke } from './pool.ts'
import type { Outcome } from './worker.ts'

/**
 * The combined results of many networks. They are plain data, so that an interrupted run can store them, and the next
 * run can add to them.
 */
export interface Totals {
  networks: number
  heights: number
  virtualMs: number
  restarts: number
  counts: Record<string, number>
  /** The networks that violated an invariant, each with its first violation. */
  failures: { readonly name: string; readonly what: string }[]
}

export const NO_TOTALS: Totals = { networks: 0, heights: 0, virtualMs: 0, restarts: 0, counts: {}, failures: [] }

export function addOutcome(totals: Totals, { name }: Pick<Job, 'name'>, outcome: Outcome): void {
  totals.networks++
  const what = whatBroke(outcome)
  if (what !== undefined) totals.failures.push({ name, what })
  if ('error' in outcome) return
  const { heights, virtualMs, restarts, counts } = outcome.result
  totals.heights += heights
  totals.virtualMs += virtualMs
  totals.restarts += restarts
  for (const [kind, count] of Object.entries(counts)) totals.counts[kind] = (totals.counts[kind] ?? 0) + count
}

/** Returns a line of text for each kind of fault, with its name and its count. The lines are sorted by the name. */
function describeCounts(counts: Iterable<readonly [kind: string, count: number]>): readonly string[] {
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, count]) => `  ${kind.padEnd(26)}${String(count).padStart(8)}`)
}

export function describeTotals({ networks, heights, virtualMs, restarts, counts, failures }: Totals): string {
  return [
    `networks     ${networks}`,
    `heights      ${heights}`,
    `virtual time ${(virtualMs / 3_600_000).toFixed(2)} h`,
    `restarts     ${restarts}`,
    'faults',
    ...describeCounts(Object.entries(counts)),
    `violations = ${failures.length}`,
    ...failures.flatMap(({ name, what }) => [`  ${name}: ${what}`, `    pnpm sim ${rerunOptions(name)}`]),
  ].join('\n')
}

/** Returns the options of `pnpm sim` that run one network again. */
export function rerunOptions(name: string): string {
  return /^(seed|crash) \S+$/.test(name) ? `--${name}` : `--name '${name}'`
}
