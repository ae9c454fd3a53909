import { type ByzantineVoteSet, isPartOf } from './byzantine-votes.ts'

/**
 * Visited tuples of small numbers, each with the votes of faulty validators that led to it. If a tuple was visited with
 * fewer of these votes, a visit with more of them is not needed. The tuples are stored as nested maps of numbers, which
 * take a tenth of the memory of texts.
 */
export class Visited {
  readonly #length: number
  readonly #tuples = new Map<number, Map<number, ByzantineVoteSet | readonly ByzantineVoteSet[]>>()
  #size = 0

  /** Creates a set of tuples with `length` numbers: at most four numbers, each below 2²⁶. */
  constructor(length: number) {
    this.#length = length
  }

  /** The number of added tuples. */
  get size(): number {
    return this.#size
  }

  /**
   * Returns false if the tuple was added before with the same votes of faulty validators, or with only a part of them.
   */
  add(tuple: readonly number[], neededVotes: ByzantineVoteSet): boolean {
    const [a = 0, b = 0, c = 0, d = 0] = tuple
    const outer = this.#length > 2 ? a * WIDTH + b : a
    const inner = this.#length > 2 ? c * WIDTH + d : b
    let found = this.#tuples.get(outer)
    if (found === undefined) {
      found = new Map()
      this.#tuples.set(outer, found)
    }
    const known = found.get(inner)
    const before = typeof known === 'number' ? [known] : (known ?? [])
    if (before.some((some) => isPartOf(some, neededVotes))) return false
    const left = before.filter((some) => !isPartOf(neededVotes, some))
    found.set(inner, left.length === 0 ? neededVotes : [...left, neededVotes])
    this.#size++
    return true
  }
}

const WIDTH = 2 ** 26
