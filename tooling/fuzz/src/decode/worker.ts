import { parentPort, workerData } from 'node:worker_threads'
import type { Decoder } from './decoder.ts'
import { type Coverage, createLoop, type Finding, MAX_INPUT_BYTES, minimise } from './loop.ts'

/** The task of a worker: to fuzz one decoder. */
export interface Work {
  readonly file: string
  readonly decoder: string
  readonly seeds: readonly Uint8Array[]
  readonly chance: number
  readonly inputs: number
  /** The maximum duration of the task in milliseconds, measured with {@link performance.now}. */
  readonly forMs: number
  readonly shared: SharedArrayBuffer
}

/** The result of a worker's task. */
export interface Done {
  readonly inputs: number
  readonly edges: number
  readonly corpus: readonly Uint8Array[]
  readonly findings: readonly Finding[]
}

/**
 * The size of the memory that a worker shares with the main thread, in bytes. The memory has the number of inputs
 * that the worker has run, the length of the current input, and the input itself.
 */
export const SHARED_BYTES: number = 16 + MAX_INPUT_BYTES

const BATCH = 2000

async function work({ file, decoder: name, seeds, chance, inputs, forMs, shared }: Work): Promise<Done> {
  const loaded = (await import(file)) as {
    readonly coverage: Coverage
    readonly DECODERS: readonly Decoder[]
    readonly faultOf: (decoder: Decoder, bytes: Uint8Array) => unknown
  }
  const { coverage, faultOf } = loaded
  const decoder = loaded.DECODERS.find((candidate) => candidate.name === name) as Decoder
  const count = new Float64Array(shared, 0, 1)
  const length = new Int32Array(shared, 8, 1)
  const current = new Uint8Array(shared, 16)
  const loop = createLoop({ decoder, faultOf, coverage, seeds, chance })
  const until = performance.now() + forMs
  let done = 0
  while (done < inputs && performance.now() < until) {
    const batch = Math.min(BATCH, inputs - done)
    loop.run(batch, (input) => {
      current.set(input)
      length[0] = input.length
    })
    done += batch
    count[0] = done
  }
  const edges = coverage.map.reduce((sum, hit) => sum + hit, 0)
  const corpus = minimise({ decoder, faultOf, coverage }, loop.corpus())
  return { inputs: done, edges, corpus, findings: loop.findings() }
}

if (parentPort !== null) {
  Error.stackTraceLimit = 0
  parentPort.postMessage(await work(workerData as Work))
}
