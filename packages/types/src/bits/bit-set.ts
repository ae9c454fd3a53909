import type { Random } from '@org/runtime'

/**
 * The content of a protobuf BitArray: the number of bits, and the bits in words of 64 bits each, the lowest bit first.
 */
export interface BitWords {
  readonly bits: number
  readonly elems: readonly bigint[]
}

/** A fixed number of bits, all 0 at first. The bits are mutable, so the owner of a set passes on only copies of it. */
export class BitSet {
  readonly size: number
  readonly #words: Uint32Array

  constructor(size: number, words?: Uint32Array) {
    this.size = size
    this.#words = words ?? new Uint32Array((size + 31) >>> 5)
  }

  /** Returns the bit; false for an index outside of the range. */
  get(index: number): boolean {
    if (index < 0 || index >= this.size) return false
    return ((this.#words[index >>> 5] as number) & (1 << (index & 31))) !== 0
  }

  /** Sets a bit. Returns false if the index is outside of the range. */
  set(index: number, value: boolean): boolean {
    if (index < 0 || index >= this.size) return false
    const word = this.#words[index >>> 5] as number
    this.#words[index >>> 5] = value ? word | (1 << (index & 31)) : word & ~(1 << (index & 31))
    return true
  }

  copy(): BitSet {
    return new BitSet(this.size, this.#words.slice())
  }

  /** Returns the bits that at least one of the two sets has. The result is as long as the longer set. */
  or(other: BitSet): BitSet {
    return this.#combine(other, Math.max(this.size, other.size), (a, b) => a | b)
  }

  /** Returns the bits that both sets have. The result is as long as the shorter set. */
  and(other: BitSet): BitSet {
    return this.#combine(other, Math.min(this.size, other.size), (a, b) => a & b)
  }

  /** Returns the bits of this set that `other` lacks. The result has the length of this set. */
  sub(other: BitSet): BitSet {
    return this.#combine(other, this.size, (a, b) => a & ~b)
  }

  not(): BitSet {
    return this.#combine(this, this.size, (a) => ~a)
  }

  #combine(other: BitSet, size: number, operation: (a: number, b: number) => number): BitSet {
    const words = new Uint32Array((size + 31) >>> 5)
    for (let i = 0; i < words.length; i++) words[i] = operation(this.#words[i] ?? 0, other.#words[i] ?? 0)
    clearTail(words, size)
    return new BitSet(size, words)
  }

  /** True if `other` has all bits of this set. */
  isWithin(other: BitSet): boolean {
    for (let i = 0; i < this.#words.length; i++) {
      if (((this.#words[i] as number) & ~(other.#words[i] ?? 0)) !== 0) return false
    }
    return true
  }

  isEmpty(): boolean {
    return this.#words.every((word) => word === 0)
  }

  /** True if all bits are 1. A set without bits is full, too. */
  isFull(): boolean {
    return this.count() === this.size
  }

  /** The number of bits that are 1. */
  count(): number {
    let count = 0
    for (const word of this.#words) count += popCount(word)
    return count
  }

  equals(other: BitSet): boolean {
    return this.size === other.size && this.#words.every((word, i) => word === other.#words[i])
  }

  /** Yields the indexes of the bits that are 1, in ascending order. */
  *indexes(): Generator<number> {
    for (const [i, word] of this.#words.entries()) {
      for (let rest = word; rest !== 0; rest &= rest - 1) yield i * 32 + (31 - Math.clz32(rest & -rest))
    }
  }

  /** Returns the index of a bit that is 1, chosen with equal probability; `undefined` if all bits are 0. */
  pick(random: Pick<Random, 'below'>): number | undefined {
    const count = this.count()
    if (count === 0) return undefined
    let skip = random.below(count)
    let at = 0
    for (let ones = popCount(this.#words[at] as number); skip >= ones; ones = popCount(this.#words[at] as number)) {
      skip -= ones
      at++
    }
    let word = this.#words[at] as number
    // Clears the lowest `skip` 1-bits of the word. The chosen bit is then the lowest 1-bit of the word.
    for (; skip > 0; skip--) word &= word - 1
    return at * 32 + (31 - Math.clz32(word & -word))
  }

  toWords(): BitWords {
    const elems: bigint[] = []
    for (let i = 0; i < this.#words.length; i += 2) {
      elems.push((BigInt(this.#words[i + 1] ?? 0) << 32n) | BigInt(this.#words[i] as number))
    }
    return { bits: this.size, elems }
  }

  /** Returns the JSON form: a text with `x` for 1 and `_` for 0. */
  toString(): string {
    let text = ''
    for (let index = 0; index < this.size; index++) text += this.get(index) ? 'x' : '_'
    return text
  }

  toJSON(): string {
    return this.toString()
  }
}

function popCount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555)
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function clearTail(words: Uint32Array, size: number): void {
  const used = size & 31
  if (used !== 0) words[words.length - 1] = (words[words.length - 1] as number) & ((1 << used) - 1)
}

/** Makes a set of `size` bits. Bit `i` is `bit(i)`. */
export function bitSetFrom(size: number, bit: (index: number) => boolean): BitSet {
  const set = new BitSet(size)
  for (let index = 0; index < size; index++) if (bit(index)) set.set(index, true)
  return set
}

/**
 * True if the list `elems` has the right number of 64-bit words for the number `bits`. Check this before
 * {@link bitSetFromWords}.
 */
export function isBitWordsValid(value: BitWords): boolean {
  return value.bits >= 0 && value.elems.length === Math.ceil(value.bits / 64)
}

/**
 * Makes a set from a protobuf BitArray, which has its bits in words of 64 bits. If words are missing, the set has only
 * the bits of the words that are present. If the words have more bits than the number `bits`, the additional bits are
 * dropped.
 */
export function bitSetFromWords(value: BitWords): BitSet {
  // A peer may send any number as `bits`. So the set has at most the bits of the received words, which also limits the
  // allocated memory.
  const size = Math.max(0, Math.min(value.bits, value.elems.length * 64))
  const words = new Uint32Array((size + 31) >>> 5)
  for (let i = 0; i < words.length; i++) {
    const element = value.elems[i >>> 1] as bigint
    words[i] = Number(BigInt.asUintN(32, i % 2 === 0 ? element : element >> 32n))
  }
  clearTail(words, size)
  return new BitSet(size, words)
}

/** Reads a set from a text of `x` and `_`; `undefined` for any other text. */
export function parseBitSet(text: string): BitSet | undefined {
  if (!/^[x_]*$/.test(text)) return undefined
  return bitSetFrom(text.length, (index) => text[index] === 'x')
}
