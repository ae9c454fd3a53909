import { type ByzantineVoteSet, isPartOf } from './byzantine-votes.ts'

/**
 * The visited states of the network. Each state is a tuple with one number for each correct validator: the id of the
 * validator's state. A tuple is stored with the votes of faulty validators that its run needed. If an earlier visit of
 * a tuple needed only a part of the votes that a new visit needs, the new visit is skipped. The tuples are stored as
 * nested maps of numbers, which take a tenth of the memory of texts.
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
   * Adds a state of the network, given as a tuple. `neededVotes` are the votes of faulty validators without which the
   * run would not have reached this state. Returns false, and adds nothing, if the state was added before with the same
   * votes, or with only a part of these votes.
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
