/** Elements that are sorted or merged in one go, well under a millisecond. */
const SORTED_AT_ONCE = 8192
const MERGED_AT_ONCE = 1 << 16

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Numbers that are added one by one and kept as they are in memory. */
export class NumberList {
  length = 0
  #values = new Float64Array(256)

  add(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Float64Array(this.length * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[this.length++] = value
  }

  get values(): Float64Array {
    return this.#values.subarray(0, this.length)
  }
}

/** The numbers in order, each once; reuses the array. Other work gets its turn in between. */
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
