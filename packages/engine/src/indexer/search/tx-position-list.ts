import { INDEX_ERRORS, IndexError } from '../errors.ts'
import type { TxPosition } from '../keys.ts'
import { markAll, marked, NumberList, sortUnique } from './number-list.ts'

/** The positions of transactions, ordered by height and index. Each position takes eight bytes. */
export interface TxPositionList {
  readonly length: number
  readonly byteLength: number
  readonly at: (i: number) => TxPosition
}

/**
 * A position is stored as one number: the height times `INDEXES`, plus the index. Every block has fewer transactions
 * than `INDEXES`.
 */
const INDEXES = 2 ** 21
const HEIGHTS = 2 ** 32

const heightOf = (packed: number): number => Math.floor(packed / INDEXES)

/** Collects positions in any order; duplicates are allowed. */
export class TxPositionCollector {
  readonly #list = new NumberList()
  #lowest = Number.POSITIVE_INFINITY
  #highest = 0
  #widest = 0

  get length(): number {
    return this.#list.length
  }

  add({ height, index }: TxPosition): void {
    this.addAt(height, index)
  }

  addAt(height: number, index: number): void {
    if (height >= HEIGHTS || index >= INDEXES)
      throw new IndexError(
        INDEX_ERRORS.corrupt,
        `the index contains a transaction at height ${height}, index ${index}, but no block can contain this transaction. Remove tx_index.db and run halley reindex-event`,
      )
    if (height < this.#lowest) this.#lowest = height
    if (height > this.#highest) this.#highest = height
    if (index > this.#widest) this.#widest = index
    this.#list.add(height * INDEXES + index)
  }

  /**
   * Returns each position once, in order. If the function `lastPositionOf` is given, each position is first replaced by
   * the last position of its transaction, which `lastPositionOf` returns. If `lastPositionOf` returns `null`, the
   * position is left out. A transaction has several positions if it was committed again. `finish` must be called only
   * once.
   */
  async finish(lastPositionOf: ((position: TxPosition) => TxPosition | null) | undefined): Promise<TxPositionList> {
    if (lastPositionOf !== undefined) return this.#replacePositions(lastPositionOf).finish(undefined)
    const sorted = await this.#sorted()
    return {
      length: sorted.length,
      byteLength: sorted.byteLength,
      at: (i) => {
        const packed = sorted[i] as number
        return { height: heightOf(packed), index: packed % INDEXES }
      },
    }
  }

  async #sorted(): Promise<Float64Array> {
    const [lowest, width] = [this.#lowest, this.#widest + 1]
    if (this.length === 0) return new Float64Array(0)
    const markOf = (packed: number): number => (heightOf(packed) - lowest) * width + (packed % INDEXES)
    const marks = markAll(this.#list, (this.#highest - lowest + 1) * width, markOf)
    if (marks === undefined) return sortUnique(this.#list.toArray())
    return marked(marks, (mark) => (lowest + Math.floor(mark / width)) * INDEXES + (mark % width))
  }

  #replacePositions(lastPositionOf: (position: TxPosition) => TxPosition | null): TxPositionCollector {
    const next = new TxPositionCollector()
    for (let i = 0; i < this.length; i++) {
      const packed = this.#list.at(i)
      const position = lastPositionOf({ height: heightOf(packed), index: packed % INDEXES })
      if (position !== null) next.add(position)
    }
    return next
  }
}
