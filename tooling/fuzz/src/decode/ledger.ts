import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The number of inputs that one decoder was given while the code was the same. */
export interface LedgerRow {
  readonly decoder: string
  /** The beginning of the hash of the code of all decoders. */
  readonly source: string
  readonly runs: number
  readonly inputs: number
  readonly faults: number
}

export type Ledger = readonly LedgerRow[]

/** The ledger in the repository. */
export const LEDGER_FILE: string = fileURLToPath(new URL('../../ledger.json', import.meta.url))

export function loadLedger(file: string = LEDGER_FILE): Ledger {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Ledger) : []
}

/** A row on one line, as the formatter of the repository writes it. */
const lineOf = (row: LedgerRow): string =>
  `  { ${Object.entries(row)
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`)
    .join(', ')} }`

/** Writes one row on each line: a run changes the lines of its decoders only. */
export function saveLedger(ledger: Ledger, file: string = LEDGER_FILE): void {
  writeFileSync(file, `[\n${ledger.map(lineOf).join(',\n')}\n]\n`)
}

/** Adds one run of a decoder. */
export function addRun(ledger: Ledger, run: Omit<LedgerRow, 'runs'>): Ledger {
  const isOf = (row: LedgerRow): boolean => row.decoder === run.decoder && row.source === run.source
  const known = ledger.find(isOf) ?? { runs: 0, inputs: 0, faults: 0 }
  const row = {
    decoder: run.decoder,
    source: run.source,
    runs: known.runs + 1,
    inputs: known.inputs + run.inputs,
    faults: known.faults + run.faults,
  }
  const rows = [...ledger.filter((other) => !isOf(other)), row]
  return rows.toSorted((a, b) => compare(a.decoder, b.decoder) || compare(a.source, b.source))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const sum = (rows: Ledger, of: 'runs' | 'inputs'): number => rows.reduce((total, row) => total + row[of], 0)

/** The number of recorded inputs of a decoder, with any version of its code. */
export const inputsOf = (ledger: Ledger, decoder: string): number =>
  sum(
    ledger.filter((row) => row.decoder === decoder),
    'inputs',
  )

/** A seed that no recorded run of the decoder had, except runs with a chosen seed. */
export const nextSeed = (ledger: Ledger, decoder: string): number =>
  1 +
  sum(
    ledger.filter((row) => row.decoder === decoder),
    'runs',
  )
