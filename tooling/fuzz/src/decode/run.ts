import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type Built, buildInstrumented } from './build.ts'
import { loadCorpus, saveCorpus } from './corpus.ts'
import type { Decoder } from './decoder.ts'
import { DECODERS } from './decoders/index.ts'
import type { Finding } from './loop.ts'
import { type Done, SHARED_BYTES, type Work } from './worker.ts'

export interface DecodeOptions {
  /** The names of the decoders to run; empty for all decoders. */
  readonly decoders: readonly string[]
  /** Returns the number of inputs that a decoder gets. */
  readonly inputsOf: (decoder: string) => number
  readonly minutes: number
  readonly seedOf: (decoder: string) => number
  readonly workers: number
  /** True if the inputs with new coverage are written to the repository. */
  readonly save: boolean
  readonly onProgress: (inputs: number, decoder: string) => void
}

export interface DecodeResult extends Done {
  readonly decoder: string
  /** The version of the code: the beginning of the hash of all decoders' code. */
  readonly source: string
  readonly seconds: number
}

/** The time in milliseconds after which a worker without progress counts as hanging. */
const HANG_MS = 20_000
const CHECK_INTERVAL_MS = 500

const FINDINGS = fileURLToPath(new URL('../../node_modules/.cache/findings/', import.meta.url))

/** Writes an input that shows a fault to a file, and returns the path of the file. */
function saveInput(decoder: string, index: number, { input }: Finding): string {
  mkdirSync(FINDINGS, { recursive: true })
  const file = `${FINDINGS}${decoder.replace(/ /g, '-')}-${index}`
  writeFileSync(file, input)
  return file
}

export const filesOf = ({ decoder, findings }: DecodeResult): readonly string[] =>
  findings.map((finding, index) => saveInput(decoder, index, finding))

function hangOf(shared: SharedArrayBuffer): Done {
  const length = new Int32Array(shared, 8, 1)[0] as number
  const input = new Uint8Array(shared, 16).slice(0, length)
  const what = `hang: decoding ${length} bytes did not end within ${HANG_MS / 1000} s`
  return {
    inputs: new Float64Array(shared, 0, 1)[0] as number,
    edges: 0,
    corpus: [],
    findings: [{ what, stack: '', input }],
  }
}

function runWorker(work: Work, onCount: (inputs: number) => void): Promise<Done> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: work })
    const count = new Float64Array(work.shared, 0, 1)
    let last = -1
    let silent = 0
    const timer = setInterval(() => {
      const now = count[0] as number
      silent = now === last ? silent + CHECK_INTERVAL_MS : 0
      last = now
      onCount(now)
      if (silent < HANG_MS) return
      clearInterval(timer)
      resolve(hangOf(work.shared))
      void worker.terminate()
    }, CHECK_INTERVAL_MS)
    worker.once('message', (done: Done) => {
      clearInterval(timer)
      resolve(done)
    })
    worker.once('error', (error) => {
      clearInterval(timer)
      reject(error)
    })
  })
}

async function fuzz(decoder: Decoder, { file, source }: Built, options: DecodeOptions): Promise<DecodeResult> {
  const { minutes, save, onProgress } = options
  const [inputs, chance] = [options.inputsOf(decoder.name), options.seedOf(decoder.name)]
  const shared = new SharedArrayBuffer(SHARED_BYTES)
  const seeds = [...loadCorpus(decoder.name), ...decoder.seeds()]
  const started = performance.now()
  const work: Work = { file, decoder: decoder.name, seeds, chance, inputs, forMs: minutes * 60_000, shared }
  const done = await runWorker(work, (count) => onProgress(count, decoder.name))
  if (save && done.corpus.length > 0) saveCorpus(decoder.name, done.corpus)
  return { ...done, decoder: decoder.name, source, seconds: (performance.now() - started) / 1000 }
}

/**
 * Runs the fuzzer for each decoder, several decoders at the same time. Yields each result when its decoder is
 * finished.
 */
export async function* runDecode(options: DecodeOptions): AsyncGenerator<DecodeResult> {
  const { decoders } = options
  const waiting = DECODERS.filter(
    ({ name }) => (decoders.length === 0 || decoders.includes(name)) && options.inputsOf(name) > 0,
  )
  const built = await buildInstrumented()
  const running = new Map<string, Promise<DecodeResult>>()
  while (waiting.length > 0 || running.size > 0) {
    while (running.size < options.workers && waiting.length > 0) {
      const decoder = waiting.shift() as Decoder
      running.set(decoder.name, fuzz(decoder, built, options))
    }
    const result = await Promise.race(running.values())
    running.delete(result.decoder)
    yield result
  }
}
