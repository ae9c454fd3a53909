import type { Decoder } from './decoder.ts'
import { mutate } from './mutate.ts'
import { createRandomSource } from './random-source.ts'

/** The maximum length of an input in bytes. Longer inputs are slower and find no further faults. */
export const MAX_INPUT_BYTES = 4096
/**
 * The maximum time for one input, in milliseconds. An input is reported as slow if each of three attempts takes
 * longer.
 */
const SLOW_MS = 200
const MAX_FINDINGS = 20

export interface Coverage {
  readonly begin: () => void
  readonly isFresh: () => boolean
  readonly map: Uint8Array
}

export interface Finding {
  readonly what: string
  readonly stack: string
  readonly input: Uint8Array
}

export interface LoopOptions {
  readonly decoder: Decoder
  readonly faultOf: (decoder: Decoder, bytes: Uint8Array) => unknown
  readonly coverage: Coverage
  readonly seeds: readonly Uint8Array[]
  readonly chance: number
}

export interface Loop {
  /** Makes and runs a number of inputs. Calls `before` with each input before it runs. */
  readonly run: (inputs: number, before?: (input: Uint8Array) => void) => void
  readonly corpus: () => readonly Uint8Array[]
  readonly findings: () => readonly Finding[]
}

/**
 * Returns the key and the texts of a fault. Two faults have the same key if their texts are the same apart from
 * numbers, and if they come from the same place in the code.
 */
function nameOf(fault: unknown): { readonly key: string; readonly what: string; readonly stack: string } {
  const error = fault instanceof Error ? fault : new Error(String(fault))
  const what = `${error.constructor.name}: ${error.message.slice(0, 200)}`
  const stack = error.stack ?? ''
  return { key: `${what.replace(/\d+/g, 'n').slice(0, 60)} ${stack.split('\n')[1] ?? ''}`, what, stack }
}

/**
 * Makes new inputs by changing inputs that are kept. Keeps each new input that takes a new path through the decoder.
 */
export function createLoop({ decoder, faultOf, coverage, seeds, chance }: LoopOptions): Loop {
  const random = createRandomSource(chance)
  const corpus: Uint8Array[] = []
  const findings = new Map<string, Finding>()

  function note(key: string, finding: Finding): void {
    const known = findings.get(key)
    if (known === undefined ? findings.size < MAX_FINDINGS : finding.input.length < known.input.length)
      findings.set(key, finding)
  }

  /**
   * Runs the input once more, and returns its fault with a stack trace. All other runs make no stack traces: without
   * stack traces, a run is a third faster.
   */
  function decodeAgain(input: Uint8Array): unknown {
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 10
    const fault = faultOf(decoder, input)
    Error.stackTraceLimit = limit
    return fault
  }

  function isSlow(input: Uint8Array): boolean {
    let best = Number.POSITIVE_INFINITY
    for (let i = 0; i < 2; i++) {
      const started = performance.now()
      faultOf(decoder, input)
      best = Math.min(best, performance.now() - started)
    }
    return best > SLOW_MS
  }

  function tryInput(input: Uint8Array): void {
    coverage.begin()
    const started = performance.now()
    const fault = faultOf(decoder, input)
    const took = performance.now() - started
    if (coverage.isFresh()) corpus.push(input)
    if (fault !== undefined) {
      const { key, ...named } = nameOf(decodeAgain(input) ?? fault)
      note(key, { ...named, input })
    } else if (took > SLOW_MS && isSlow(input)) {
      note('slow', { what: `slow: decoding ${input.length} bytes took ${Math.round(took)} ms`, stack: '', input })
    }
  }

  function parentOf(): Uint8Array {
    // With a probability of one half, one of the newest 32 inputs is chosen. Otherwise, one of all inputs is chosen.
    const from = random.below(2) === 0 ? Math.max(0, corpus.length - 32) : 0
    return corpus[from + random.below(corpus.length - from)] as Uint8Array
  }

  function next(): Uint8Array {
    const [one, two] = [parentOf(), parentOf()]
    // Short inputs are fast, so the shorter of two inputs is preferred. With a probability of one half, the length is
    // ignored, because some branches need long inputs.
    const parent = one.length <= two.length || random.below(2) === 0 ? one : two
    const input = mutate(decoder, [parent, random.pick(corpus)], random)
    return input.length > MAX_INPUT_BYTES ? input.slice(0, MAX_INPUT_BYTES) : input
  }

  for (const seed of [new Uint8Array(0), ...seeds]) {
    tryInput(seed)
    if (corpus.length === 0) corpus.push(seed)
  }
  return {
    run: (inputs, before) => {
      for (let i = 0; i < inputs; i++) {
        const input = next()
        before?.(input)
        tryInput(input)
      }
    },
    corpus: () => corpus,
    findings: () => [...findings.values()],
  }
}

/** Returns a small set of the inputs with the same coverage as all of them. Short inputs are preferred. */
export function minimise(
  { decoder, faultOf, coverage }: Pick<LoopOptions, 'decoder' | 'faultOf' | 'coverage'>,
  inputs: readonly Uint8Array[],
): readonly Uint8Array[] {
  coverage.map.fill(0)
  return inputs
    .toSorted((a, b) => a.length - b.length)
    .filter((input) => {
      coverage.begin()
      faultOf(decoder, input)
      return coverage.isFresh()
    })
}
