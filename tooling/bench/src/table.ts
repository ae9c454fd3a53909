import { SMALLER_IS_BETTER } from './workloads/workload.ts'

export interface Row {
  readonly metric: string
  readonly unit: string
  /** The values of all rounds, by the name of the measured node. */
  readonly values: Readonly<Record<string, readonly number[]>>
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2
}

/** Returns the `q` quantile of the values; `q` is for example 0.99. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}

/**
 * Returns how many times better the first node is than the second node. A value above 1 means that the first node is
 * better, also for units where smaller values are better. Returns `undefined` if both values are 0 or a value is
 * missing.
 */
export function ratio(row: Row, first: string, second: string): number | undefined {
  const [a, b] = [row.values[first], row.values[second]]
  if (a === undefined || b === undefined) return undefined
  const times = SMALLER_IS_BETTER.has(row.unit) ? median(b) / median(a) : median(a) / median(b)
  return Number.isNaN(times) ? undefined : times
}

const number = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3))

/**
 * Returns the rows as a text: the median and the range for each node, and how many times better the first node is than
 * each of the other nodes.
 */
export function formatTable(rows: readonly Row[], subjects: readonly string[]): string {
  const [first = '', ...others] = subjects
  const head = [
    '',
    ...subjects,
    ...others.map((name) => (others.length === 1 ? 'better by' : `better than ${name} by`)),
  ]
  const body = rows.map((row) => {
    const cells = subjects.map((subject) => {
      const values = row.values[subject] ?? []
      if (values.length === 0) return '–'
      const range = values.length === 1 ? '' : ` (${number(Math.min(...values))}–${number(Math.max(...values))})`
      return `${number(median(values))} ${row.unit}${range}`
    })
    const ratios = others.map((other) => ratio(row, first, other))
    return [row.metric, ...cells, ...ratios.map((better) => (better === undefined ? '–' : `${better.toFixed(2)}×`))]
  })
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((cells) => (cells[column] ?? '').length)))
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  return [line(head), widths.map((width) => '─'.repeat(width)).join('──'), ...body.map(line)].join('\n')
}
