/** A set of tuples of small numbers, held as nested sets of numbers: a tenth of the memory of texts. */
export class TupleSet {
  readonly #length: number
  readonly #sets = new Map<number, Set<number>>()
  #size = 0

  /** Tuples of up to four numbers under 2²⁶. */
  constructor(length: number) {
    this.#length = length
  }

  get size(): number {
    return this.#size
  }

  /** False if it is here already. */
  add(tuple: readonly number[]): boolean {
    const [a = 0, b = 0, c = 0, d = 0] = tuple
    const outer = this.#length > 2 ? a * WIDTH + b : a
    const inner = this.#length > 2 ? c * WIDTH + d : b
    let set = this.#sets.get(outer)
    if (set === undefined) {
      set = new Set()
      this.#sets.set(outer, set)
    }
    if (set.has(inner)) return false
    set.add(inner)
    this.#size++
    return true
  }
}

const WIDTH = 2 ** 26
