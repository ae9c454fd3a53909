import { nextTurn } from '@org/runtime'

/**
 * One step sorts at most `SORTED_AT_ONCE` numbers, or merges at most `MERGED_AT_ONCE` numbers. A step takes well under
 * a millisecond. Other work of the process gets a turn after a few steps.
 */
const SORTED_AT_ONCE = 8192
const MERGED_AT_ONCE = 1 << 16

/**
 * The number of elements in one piece of memory of a list. When the list grows, it gets a new piece. So no piece is
 * copied, and little memory stays unused.
 */
const PIECE = 1 << 14

/** A list of numbers to which numbers are added one by one. Its memory consists of pieces of equal size. */
export class NumberList {
  length = 0
  readonly pieces: Float64Array[] = []

  add(value: number): void {
    const at = this.length & (PIECE - 1)
    if (at === 0) this.pieces.push(new Float64Array(PIECE))
    ;(this.pieces[this.pieces.length - 1] as Float64Array)[at] = value
    this.length++
  }

  at(i: number): number {
    return (this.pieces[Math.floor(i / PIECE)] as Float64Array)[i & (PIECE - 1)] as number
  }

  /** Returns all numbers in one array. */
  toArray(): Float64Array {
    const all = new Float64Array(this.length)
    for (const [i, piece] of this.pieces.entries()) {
      all.set(i === this.pieces.length - 1 ? piece.subarray(0, this.length - i * PIECE) : piece, i * PIECE)
    }
    return all
  }
}

/**
 * The maximum length of the bit map in {@link markAll}, in bits per number of the list. If the bit map would be longer,
 * the numbers are sorted instead.
 */
const MARKS_A_NUMBER = 64

/**
 * Makes a bit map of a list, so that the numbers need not be sorted. In the bit map, one bit is set for each number.
 * A set bit is called a mark. `markOf` gives the position of a number's mark: at least 0 and less than `end`. Returns
 * `undefined` if sorting is cheaper than a bit map.
 */
export function markAll(list: NumberList, end: number, markOf: (value: number) => number): Uint32Array | undefined {
  if (end > Math.max(list.length * MARKS_A_NUMBER, 1 << 16) || end > 2 ** 31) return undefined
  const marks = new Uint32Array(Math.ceil(end / 32))
  for (const [i, piece] of list.pieces.entries()) {
    const count = Math.min(PIECE, list.length - i * PIECE)
    for (let at = 0; at < count; at++) {
      const mark = markOf(piece[at] as number)
      marks[mark >>> 5] = (marks[mark >>> 5] as number) | (1 << (mark & 31))
    }
  }
  return marks
}

/**
 * Converts the bit map of {@link markAll} back to the numbers of the list. Returns one number for each set bit, in the
 * order of the bits. The function `unmark` is the inverse of `markOf`: it converts the position of a bit to a number of
 * the list.
 */
export function marked(marks: Uint32Array, unmark: (mark: number) => number): Float64Array {
  let count = 0
  for (let i = 0; i < marks.length; i++) {
    let word = marks[i] as number
    word -= (word >>> 1) & 0x55555555
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  const sorted = new Float64Array(count)
  let at = 0
  for (let i = 0; at < count; i++) {
    for (let word = marks[i] as number; word !== 0; word &= word - 1) {
      sorted[at++] = unmark(i * 32 + (31 - Math.clz32(word & -word)))
    }
  }
  return sorted
}

/**
 * Returns the numbers in ascending order without duplicates. Overwrites `values`. Regularly lets other work of the
 * process run.
 */
export async function sortUnique(values: Float64Array): Promise<Float64Array> {
  for (let from = 0; from < values.length; from += SORTED_AT_ONCE) {
    values.subarray(from, from + SORTED_AT_ONCE).sort()
    if (from > 0 && from % (8 * SORTED_AT_ONCE) === 0) await nextTurn()
  }
  let sorted = values
  let other = values.length > SORTED_AT_ONCE ? new Float64Array(values.length) : values
  let merged = 0
  for (let width = SORTED_AT_ONCE; width < values.length; width *= 2) {
    for (let from = 0; from < values.length; from += width * 2) {
      const middle = Math.min(from + width, values.length)
      const end = Math.min(middle + width, values.length)
      let [left, right] = [from, middle]
      for (let at = from; at < end; ) {
        const stop = Math.min(end, at + MERGED_AT_ONCE)
        for (; at < stop; at++) {
          const takeLeft = left < middle && (right >= end || (sorted[left] as number) <= (sorted[right] as number))
          other[at] = sorted[takeLeft ? left++ : right++] as number
        }
        merged += MERGED_AT_ONCE
        if (merged % (4 * MERGED_AT_ONCE) === 0) await nextTurn()
      }
    }
    ;[sorted, other] = [other, sorted]
  }
  let kept = 0
  for (let i = 0; i < sorted.length; i++) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[kept++] = sorted[i] as number
  }
  return kept === sorted.length ? sorted : sorted.slice(0, kept)
}
