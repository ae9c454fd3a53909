import { type ExpiryState, isEvidenceExpired } from '../../evidence/index.ts'
import type { BackfilledRange, BlockStore } from '../../store/index.ts'

export interface NeededHeadersModules {
  readonly initialHeight: number
  readonly blockStore: Pick<BlockStore, 'backfilled' | 'loadBlockMeta'>
  /**
   * Returns the data that decide whether evidence is too old. These data are a part of the state after the last block.
   */
  readonly latest: () => ExpiryState
}

/** Decides which headers evidence may still need. */
export interface NeededHeaders {
  /** Returns true if the header of the height is stored, and all evidence about the height has expired. */
  readonly isExpired: (height: number) => boolean
  /** Returns true if no header below the range of stored headers is needed. */
  readonly isWhole: (range: BackfilledRange) => boolean
  /** Returns the range of the stored headers if headers below it are needed; otherwise `undefined`. */
  readonly missing: () => BackfilledRange | undefined
}

/**
 * Creates the functions that decide which headers are needed. The header of a height is needed if evidence about this
 * height has not expired. The next lower header is needed too: it shows that the evidence about all lower heights has
 * expired.
 */
export function createNeededHeaders({ initialHeight, blockStore, latest }: NeededHeadersModules): NeededHeaders {
  function isExpired(height: number): boolean {
    const header = blockStore.loadBlockMeta(height)?.header
    return header !== undefined && isEvidenceExpired(latest(), header)
  }

  const isWhole = ({ snapshot, lowest }: BackfilledRange): boolean =>
    lowest <= initialHeight || (lowest <= snapshot && isExpired(lowest))

  return {
    isExpired,
    isWhole,
    missing: () => {
      const range = blockStore.backfilled()
      return range === undefined || isWhole(range) ? undefined : range
    },
  }
}
