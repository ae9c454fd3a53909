import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The recorded runs of one decoder with one version of the code: the number of runs, inputs and faults. */
export interface LedgerRow {
  readonly decoder: string
  /** The version of the code: the beginning of the hash of all decoders' code. */
  readonly source: string
  readonly runs: number
  readonly inputs: number
  readonly faults: number
}

export type Ledger = readonly LedgerRow[]

/** The path of the ledger, which is the file of all recorded runs in the repository. */
export const LEDGER_FILE: string = fileURLToPath(new URL('../../ledger.json', import.meta.url))

export function loadLedger(file: string = LEDGER_FILE): Ledger {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Ledger) : []
}

/** Returns a row as one line of text, in the format that the repository's formatter writes. */
const lineOf = (row: LedgerRow): string =>
  `  { ${Object.entries(row)
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`)
    .join(', ')} }`

/**
 * Writes the file of all recorded runs, with one row on each line. So a run changes only the lines of its own decoders.
 */
export function saveLedger(ledger: Ledger, file: string = LEDGER_FILE): void {
  writeFileSync(file, `[\n${ledger.map(lineOf).join(',\n')}\n]\n`)
}

/**
 * Returns the ledger with one more run. The numbers of the run are added to the row of its decoder and its version of
 * the code.
 */
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

/** Returns the number of recorded inputs of a decoder, over all versions of the code. */
export const inputsOf = (ledger: Ledger, decoder: string): number =>
  sum(
    ledger.filter((row) => row.decoder === decoder),
    'inputs',
  )

/** Returns a seed that no recorded run of the decoder has used. Runs whose seed the user chose are not considered. */
export const nextSeed = (ledger: Ledger, decoder: string): number =>
  1 +
  sum(
    ledger.filter((row) => row.decoder === decoder),
    'runs',
  )
