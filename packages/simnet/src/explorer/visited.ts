import { type ByzantineVoteSet, isPartOf } from './byzantine-votes.ts'

/**
 * The states of the network that the search has visited. Each state is a tuple with one number for each correct
 * validator: the id of the validator's state. Each visit is stored with the set of votes of faulty validators that were
 * delivered on the way to the state. The search skips a new visit if an earlier visit of the same state has the same
 * set of votes or a subset of this set. The tuples are stored as nested maps of numbers, which take a tenth of the
 * memory of texts.
 */
export class Visited {
  readonly #length: number
  readonly #tuples = new Map<number, Map<number, ByzantineVoteSet | readonly ByzantineVoteSet[]>>()
  #size = 0

  /**
   * Creates an empty set of tuples. Each tuple has `length` numbers. `length` is at most 4, and each number is below
   * 2²⁶.
   */
  constructor(length: number) {
    this.#length = length
  }

  /** The number of times that {@link add} added a tuple. */
  get size(): number {
    return this.#size
  }

  /**
   * Adds a visit of the state `tuple`. `neededVotes` is the set of votes of faulty validators that were delivered on
   * the way to the state. Returns false if the state was added before with `neededVotes` or a subset of `neededVotes`.
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
    const remaining = before.filter((some) => !isPartOf(neededVotes, some))
    found.set(inner, remaining.length === 0 ? neededVotes : [...remaining, neededVotes])
    this.#size++
    return true
  }
}

const WIDTH = 2 ** 26
