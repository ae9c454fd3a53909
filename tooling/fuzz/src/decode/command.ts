import { createProgress } from '../progress.ts'
import { namesOf, numberOf, optionsOf, UsageError } from '../usage.ts'
import { DECODERS } from './decoders/index.ts'
import { addRun, inputsOf, loadLedger, nextSeed, saveLedger } from './ledger.ts'
import { type DecodeResult, filesOf, runDecode } from './run.ts'

const OPTIONS = {
  inputs: { type: 'string' },
  minutes: { type: 'string' },
  decoder: { type: 'string' },
  seed: { type: 'string' },
  workers: { type: 'string' },
  save: { type: 'boolean' },
  record: { type: 'boolean' },
  total: { type: 'string' },
  ledger: { type: 'boolean' },
  list: { type: 'boolean' },
} as const

const NAMES = DECODERS.map(({ name }) => name)
const WIDTH = Math.max(...NAMES.map((name) => name.length))

function line({ decoder, inputs, seconds, edges, corpus, findings }: DecodeResult): string {
  const rate = Math.round(inputs / seconds / 1000)
  return [
    decoder.padEnd(WIDTH),
    inputs.toLocaleString('en').padStart(12),
    `${rate}k/s`.padStart(8),
    String(edges).padStart(7),
    String(corpus.length).padStart(7),
    String(findings.length).padStart(7),
  ].join(' ')
}

const HEAD = [
  'decoder'.padEnd(WIDTH),
  'inputs'.padStart(12),
  'rate'.padStart(8),
  'edges'.padStart(7),
  'corpus'.padStart(7),
  'faults'.padStart(7),
].join(' ')

/** Prints for each decoder the number of inputs in all recorded runs together. */
function showLedger(names: readonly string[]): void {
  const ledger = loadLedger()
  const rows = names.map((decoder) => ({ decoder, inputs: inputsOf(ledger, decoder) }))
  for (const { decoder, inputs } of rows) {
    const sources = ledger.filter((row) => row.decoder === decoder).map(({ source, inputs: of }) => `${source}: ${of}`)
    console.log(`${decoder.padEnd(WIDTH)} ${inputs.toLocaleString('en').padStart(12)}  ${sources.join(', ')}`)
  }
  const fewest = Math.min(...rows.map(({ inputs }) => inputs))
  const faults = ledger.reduce((sum, row) => sum + row.faults, 0)
  console.log(
    `\n${rows.length} decoders, at least ${fewest.toLocaleString('en')} recorded inputs each, ${faults} faults`,
  )
}

interface Counts {
  readonly inputsOf: (decoder: string) => number
  readonly seedOf: (decoder: string) => number
}

/**
 * Returns two functions, which take the name of a decoder. `inputsOf` returns the number of inputs to run, and `seedOf`
 * returns the seed. Both functions follow the options of the command.
 */
function countsOf(given: Record<string, unknown>): Counts {
  const inputs = numberOf(given.inputs, 'inputs', given.minutes === undefined ? 100_000 : Number.MAX_SAFE_INTEGER)
  if (given.record !== true) {
    if (given.total !== undefined) throw new UsageError('--total counts recorded inputs: --record is missing')
    const seed = numberOf(given.seed, 'seed', 1)
    return { inputsOf: () => inputs, seedOf: () => seed }
  }
  const ledger = loadLedger()
  const total = numberOf(given.total, 'total', Number.POSITIVE_INFINITY)
  return {
    inputsOf: (decoder) => Math.max(0, Math.min(inputs, total - inputsOf(ledger, decoder))),
    seedOf: (decoder) => numberOf(given.seed, 'seed', nextSeed(ledger, decoder)),
  }
}

function record({ decoder, source, inputs, findings }: DecodeResult): void {
  // The ledger (the file of all recorded runs) is read again before each change, because another run may have written
  // to it.
  saveLedger(addRun(loadLedger(), { decoder, source, inputs, faults: findings.length }))
}

function showFindings(results: readonly DecodeResult[]): number {
  let faults = 0
  for (const result of results) {
    const files = filesOf(result)
    for (const [index, { what, stack }] of result.findings.entries()) {
      faults++
      console.log(`\n${result.decoder}: ${what}\n  input: ${files[index]}\n${stack.split('\n').slice(1, 5).join('\n')}`)
    }
  }
  return faults
}

/** Runs `pnpm fuzz decode`. Returns false if a decoder has a fault. */
export async function runDecodeCommand(args: readonly string[]): Promise<boolean> {
  const given = optionsOf(args, OPTIONS)
  if (given.list === true) {
    console.log(NAMES.join('\n'))
    return true
  }
  const chosen = namesOf(given.decoder, NAMES, 'decoder')
  const decoders = chosen.length === 0 ? NAMES : chosen
  if (given.ledger === true) {
    showLedger(decoders)
    return true
  }
  const counts = countsOf(given)
  const progress = createProgress(decoders.filter((name) => counts.inputsOf(name) > 0).length)
  const results: DecodeResult[] = []
  console.log(HEAD)
  for await (const result of runDecode({
    ...counts,
    decoders,
    minutes: numberOf(given.minutes, 'minutes', Number.POSITIVE_INFINITY),
    workers: numberOf(given.workers, 'workers', 1),
    save: given.save === true,
    onProgress: progress.note,
  })) {
    results.push(result)
    if (given.record === true) record(result)
    progress.advance(line(result))
  }
  progress.stop()
  const faults = showFindings(results)
  const total = results.reduce((sum, result) => sum + result.inputs, 0)
  const fewest = results.length === 0 ? 0 : Math.min(...results.map((result) => result.inputs))
  console.log(
    `\n${results.length} decoders, ${total.toLocaleString('en')} inputs, at least ${fewest.toLocaleString('en')} each, ${faults} faults`,
  )
  return faults === 0
}
