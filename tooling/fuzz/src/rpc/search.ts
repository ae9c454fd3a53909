import type { Difference, Exchange } from '@org/golden'
import { createRandomSource, type RandomSource } from '../decode/random-source.ts'
import { declaredIn } from './declared.ts'
import { differenceOf, kindOf } from './difference.ts'
import { mutateRequest } from './mutate-request.ts'
import type { Answer, TargetNode } from './node.ts'
import { isAllowed, seedsOf } from './seeds.ts'
import { smallerRequests } from './shrink.ts'

/** A Halley node whose answers are compared with those of the reference. `strict` is true if the node is strict. */
export interface Candidate {
  readonly node: TargetNode
  readonly strict: boolean
}

export interface Found {
  /** The name of the difference, which is the same for differences that probably have the same cause. */
  readonly kind: string
  /**
   * The settings of the Halley nodes whose answers differ in this way from the answer of the reference: `strict` for
   * the setting `strict`, and `default` without this setting.
   */
  readonly modes: Set<'default' | 'strict'>
  readonly exchange: Exchange
  readonly difference: Difference
  readonly answers: { readonly wanted: Answer; readonly got: Answer }
  count: number
}

export interface Summary {
  requests: number
  /** The number of compared answers of Halley nodes. Each request has one such answer from each Halley node. */
  answers: number
  equal: number
  /** The number of declared differences, by the section of DEVIATIONS.md that declares them. */
  readonly declared: Map<string, number>
  /**
   * The differences between the reference and a Halley node that DEVIATIONS.md does not declare, by the name of the
   * difference.
   */
  readonly found: Map<string, Found>
}

export interface SearchOptions {
  readonly chance: number
  readonly requests: number
  /** The time at which the search ends, in the milliseconds of `performance.now`. */
  readonly until: number
}

export interface SearchModules {
  readonly reference: TargetNode
  readonly candidates: readonly Candidate[]
  readonly onFound?: (found: Found) => void
  readonly onProgress?: (summary: Summary) => void
}

/** The answer of the reference and the answer of a Halley node to the same request. */
type Pair = readonly [Answer, Answer]

/** The number of requests after which connections are opened again and mempools are emptied. */
const RESET_AFTER = 200
/** The maximum number of attempts to shrink a request whose answers differ. */
const MAX_ATTEMPTS = 150

const modesOf = (strict: boolean): Found['modes'] => new Set([strict ? 'strict' : 'default'])

/**
 * Returns a random request that calls no forbidden operation. The function `isAllowed` finds the forbidden operations.
 */
function nextRequest(random: RandomSource, seeds: readonly Exchange[]): Exchange {
  for (;;) {
    const exchange = mutateRequest(random.pick(seeds), random.pick(seeds), random)
    if (isAllowed(exchange)) return exchange
  }
}

/**
 * Returns the section of DEVIATIONS.md that declares the difference between two answers; `undefined` if no section
 * declares it. Some differences show only in the body, and an answer to a HEAD request has no body. So if no section is
 * found for a HEAD request, the request is sent again as GET or POST, and the new answers decide.
 */
async function declarationOf(
  exchange: Exchange,
  { node, strict }: Candidate,
  { answers, reference }: { readonly answers: Pair; readonly reference: Candidate['node'] },
): Promise<string | undefined> {
  const [wanted, got] = answers
  const section = declaredIn({ exchange, wanted, got, strict })
  const { request } = exchange
  if (section !== undefined || request.method !== 'HEAD') return section
  const shown: Exchange = {
    ...exchange,
    request: { ...request, method: (request.body ?? '') === '' ? 'GET' : 'POST' },
  }
  const repeated: Pair = [await reference.send(shown), await node.send(shown)]
  return declarationOf(shown, { node, strict }, { answers: repeated, reference })
}

/** Sends random requests to the reference and to the Halley nodes, and compares their answers. */
export async function search(options: SearchOptions, modules: SearchModules): Promise<Summary> {
  const { reference, candidates } = modules
  const random = createRandomSource(options.chance)
  const seeds = seedsOf(options.chance)
  const summary: Summary = { requests: 0, answers: 0, equal: 0, declared: new Map(), found: new Map() }
  const nodes = [reference, ...candidates.map(({ node }) => node)]
  const reset = (): Promise<unknown> => Promise.all(nodes.map((node) => node.reset()))

  /** Sends a request, and returns the difference between the answers if no section of DEVIATIONS.md declares it. */
  async function undeclared(exchange: Exchange, candidate: Candidate): Promise<Found | undefined> {
    const { node, strict } = candidate
    const [wanted, got] = (await Promise.all([reference.send(exchange), node.send(exchange)])) as [Answer, Answer]
    const difference = differenceOf(wanted, got)
    if (difference === undefined) return undefined
    if ((await declarationOf(exchange, candidate, { answers: [wanted, got], reference })) !== undefined)
      return undefined
    return {
      kind: kindOf(exchange, difference),
      modes: modesOf(strict),
      exchange,
      difference,
      answers: { wanted, got },
      count: 1,
    }
  }

  /**
   * Shortens the request that showed a difference. A shorter request is kept only if its answers still have a
   * difference of the same kind. Returns the shortest request that was found.
   */
  async function shrunk(found: Found, candidate: Candidate): Promise<Found> {
    let best = found
    let attempts = MAX_ATTEMPTS
    for (let changed = true; changed && attempts > 0; ) {
      changed = false
      for (const exchange of smallerRequests(best.exchange)) {
        if (attempts-- <= 0) break
        await reset()
        const repeated = isAllowed(exchange) ? await undeclared(exchange, candidate) : undefined
        if (repeated?.kind !== found.kind) continue
        best = repeated
        changed = true
        break
      }
    }
    return best
  }

  async function note(found: Found, candidate: Candidate): Promise<void> {
    const key = found.kind
    const known = summary.found.get(key)
    if (known !== undefined) {
      known.count++
      for (const mode of found.modes) known.modes.add(mode)
      return
    }
    const small = await shrunk(found, candidate)
    summary.found.set(key, small)
    modules.onFound?.(small)
  }

  async function judge(exchange: Exchange, candidate: Candidate, [wanted, got]: Pair): Promise<boolean> {
    summary.answers++
    const difference = differenceOf(wanted, got)
    if (difference === undefined) {
      summary.equal++
      return true
    }
    const { strict } = candidate
    const section = await declarationOf(exchange, candidate, { answers: [wanted, got], reference })
    if (section !== undefined) summary.declared.set(section, (summary.declared.get(section) ?? 0) + 1)
    else {
      const kind = kindOf(exchange, difference)
      await note({ kind, modes: modesOf(strict), exchange, difference, answers: { wanted, got }, count: 1 }, candidate)
    }
    return false
  }

  while (summary.requests < options.requests && performance.now() < options.until) {
    const exchange = nextRequest(random, seeds)
    summary.requests++
    const [wanted, ...answers] = (await Promise.all(nodes.map((node) => node.send(exchange)))) as [Answer, ...Answer[]]
    let allEqual = true
    for (const [index, candidate] of candidates.entries())
      if (!(await judge(exchange, candidate, [wanted, answers[index] as Answer]))) allEqual = false
    if (!allEqual || summary.requests % RESET_AFTER === 0) await reset()
    modules.onProgress?.(summary)
  }
  return summary
}
