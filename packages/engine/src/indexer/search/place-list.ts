import { INDEX_ERRORS, IndexError } from '../errors.ts'
import type { TxPlace } from '../keys.ts'
import { NumberList, sortUnique } from './number-list.ts'

/** Places of transactions in the order of height and index, eight bytes each. */
export interface PlaceList {
  readonly length: number
  readonly byteLength: number
  readonly at: (i: number) => TxPlace
}

/** Collects places in any order, as often as they come. */
export class PlaceCollector {
  readonly #heights = new NumberList()
  readonly #indexes = new NumberList()

  get length(): number {
    return this.#heights.length
  }

  add({ height, index }: TxPlace): void {
    this.#heights.add(height)
    this.#indexes.add(index)
  }

  /** Each place once, in order; `moved` replaces or drops (`null`) a place. Call it once. */
  async finish(moved: ((place: TxPlace) => TxPlace | null) | undefined): Promise<PlaceList> {
    if (moved !== undefined) return this.#moved(moved).finish(undefined)
    const heights = this.#heights.values
    const indexes = this.#indexes.values
    let [lowest, highest, widest] = [heights[0] ?? 0, 0, 0]
    for (let i = 0; i < heights.length; i++) {
      const [height, index] = [heights[i] as number, indexes[i] as number]
      if (height < lowest) lowest = height
      if (height > highest) highest = height
      if (index > widest) widest = index
    }
    const width = widest + 1
    if (!Number.isSafeInteger((highest - lowest + 1) * width))
      throw new IndexError(INDEX_ERRORS.corrupt, `a transaction at height ${highest}, index ${widest} cannot be`)
    for (let i = 0; i < heights.length; i++) {
      heights[i] = ((heights[i] as number) - lowest) * width + (indexes[i] as number)
    }
    const sorted = await sortUnique(heights.slice())
    return {
      length: sorted.length,
      byteLength: sorted.byteLength,
      at: (i) => {
        const position = sorted[i] as number
        return { height: lowest + Math.floor(position / width), index: position % width }
      },
    }
  }

  #moved(moved: (place: TxPlace) => TxPlace | null): PlaceCollector {
    const next = new PlaceCollector()
    const heights = this.#heights.values
    const indexes = this.#indexes.values
    for (let i = 0; i < heights.length; i++) {
      const place = moved({ height: heights[i] as number, index: indexes[i] as number })
      if (place !== null) next.add(place)
    }
    return next
  }
}
