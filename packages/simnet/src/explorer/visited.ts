import { isPartOf, type LieSet } from './lies.ts'

/**
 * Tuples of small numbers that were seen, each with the lies that it took: who needed fewer can do all that others can. Held as nested
 * maps of numbers: a tenth of the memory of texts.
 */
export class Visited {
  readonly #length: number
  readonly #tuples = new Map<number, Map<number, LieSet | readonly LieSet[]>>()
  #size = 0

  /** Tuples of up to four numbers under 2²⁶. */
  constructor(length: number) {
    this.#length = length
  }

  /** How many were added. */
  get size(): number {
    return this.#size
  }

  /** False if it is here already, with these lies or some of them. */
  add(tuple: readonly number[], lies: LieSet): boolean {
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
    if (before.some((some) => isPartOf(some, lies))) return false
    const left = before.filter((some) => !isPartOf(lies, some))
    found.set(inner, left.length === 0 ? lies : [...left, lies])
    this.#size++
    return true
  }
}

const WIDTH = 2 ** 26
