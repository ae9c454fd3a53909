import { createProgress } from '../progress.ts'
import { namesOf, numberOf, optionsOf } from '../usage.ts'
import { DECODERS } from './decoders/index.ts'
import { type DecodeResult, filesOf, runDecode } from './run.ts'

const OPTIONS = {
  inputs: { type: 'string' },
  minutes: { type: 'string' },
  decoder: { type: 'string' },
  seed: { type: 'string' },
  workers: { type: 'string' },
  save: { type: 'boolean' },
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

/** `pnpm fuzz decode`; false if a decoder is at fault. */
export async function runDecodeCommand(args: readonly string[]): Promise<boolean> {
  const given = optionsOf(args, OPTIONS)
  if (given.list === true) {
    console.log(NAMES.join('\n'))
    return true
  }
  const decoders = namesOf(given.decoder, NAMES, 'decoder')
  const minutes = numberOf(given.minutes, 'minutes', Number.POSITIVE_INFINITY)
  const inputs = numberOf(given.inputs, 'inputs', given.minutes === undefined ? 100_000 : Number.MAX_SAFE_INTEGER)
  const progress = createProgress(decoders.length === 0 ? NAMES.length : decoders.length)
  const results: DecodeResult[] = []
  console.log(HEAD)
  for await (const result of runDecode({
    decoders,
    inputs,
    minutes,
    seed: numberOf(given.seed, 'seed', 1),
    workers: numberOf(given.workers, 'workers', 1),
    save: given.save === true,
    onProgress: progress.note,
  })) {
    results.push(result)
    progress.done(line(result))
  }
  progress.stop()
  let faults = 0
  for (const result of results) {
    const files = filesOf(result)
    for (const [index, { what, stack }] of result.findings.entries()) {
      faults++
      console.log(`\n${result.decoder}: ${what}\n  input: ${files[index]}\n${stack.split('\n').slice(1, 5).join('\n')}`)
    }
  }
  const total = results.reduce((sum, result) => sum + result.inputs, 0)
  const least = Math.min(...results.map((result) => result.inputs))
  console.log(
    `\n${results.length} decoders, ${total.toLocaleString('en')} inputs, at least ${least.toLocaleString('en')} each, ${faults} faults`,
  )
  return faults === 0
}
