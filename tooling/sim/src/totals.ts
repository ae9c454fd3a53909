import type { Answer } from './worker.ts'

/** What many networks came to. Plain data, so that a run can be resumed. */
export interface Totals {
  networks: number
  heights: number
  virtualMs: number
  restarts: number
  counts: Record<string, number>
  /** Seeds that broke a rule, with the first thing that went wrong. */
  failures: { readonly seed: number; readonly what: string }[]
}

export const NO_TOTALS: Totals = { networks: 0, heights: 0, virtualMs: 0, restarts: 0, counts: {}, failures: [] }

export function addAnswer(totals: Totals, answer: Answer): void {
  totals.networks++
  if ('error' in answer) {
    totals.failures.push({ seed: answer.seed, what: `error: ${answer.error}` })
    return
  }
  const { heights, virtualMs, restarts, counts, violations } = answer.result
  totals.heights += heights
  totals.virtualMs += virtualMs
  totals.restarts += restarts
  for (const [kind, count] of Object.entries(counts)) totals.counts[kind] = (totals.counts[kind] ?? 0) + count
  const [first] = violations
  if (first !== undefined) totals.failures.push({ seed: answer.seed, what: `${first.rule}: ${first.detail}` })
}

export function describeTotals({ networks, heights, virtualMs, restarts, counts, failures }: Totals): string {
  const faults = Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, count]) => `  ${kind.padEnd(26)}${String(count).padStart(8)}`)
  return [
    `networks     ${networks}`,
    `heights      ${heights}`,
    `virtual time ${(virtualMs / 3_600_000).toFixed(2)} h`,
    `restarts     ${restarts}`,
    'faults',
    ...faults,
    `violations = ${failures.length}`,
    ...failures.flatMap(({ seed, what }) => [`  seed ${seed}: ${what}`, `    pnpm sim --seed ${seed}`]),
  ].join('\n')
}
