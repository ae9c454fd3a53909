import type { ValidatorSet } from '@org/types'
import type { SimNode } from '../node/index.ts'

/**
 * Returns the validators of a height, with the proposer priorities of the height's first round; `undefined` while no
 * honest node has reached the height.
 */
export type ValidatorsAt = (height: number) => ValidatorSet | undefined

export interface KnownValidatorsModules {
  /** The nodes whose stores may be read. */
  readonly nodes: () => readonly SimNode[]
  readonly initialHeight: number
  /** Called with a description if a store lacks a validator set that it must have. */
  readonly onFault: (detail: string) => void
}

/** Reads the validators from the stores of the nodes. The validators of each height are read only once. */
export function createKnownValidators({ nodes, initialHeight, onFault }: KnownValidatorsModules): ValidatorsAt {
  const sets = new Map<number, ValidatorSet>()

  return (height) => {
    const known = sets.get(height)
    if (known !== undefined) return known
    for (const node of nodes()) {
      const { stateStore, blockStore } = node.engine() ?? {}
      if (stateStore === undefined || blockStore === undefined) continue
      try {
        const set = stateStore.loadValidators(height)
        sets.set(height, set)
        return set
      } catch (error) {
        const last = stateStore.load()?.lastBlockHeight ?? -1
        // A node that has the state of a height also has the validators of the next two heights. The node may have
        // removed validator sets only below its lowest stored block. Within these limits, a missing set is a fault.
        const first = node.isJoiner && blockStore.base() === 0 ? last + 1 : blockStore.base()
        const isMissing = height <= Math.max(last, initialHeight - 1) + 2 && height >= first && last >= 0
        if (isMissing)
          onFault(
            `${node.name} has reached height ${last}, and has no validators of height ${height}: ${String(error)}`,
          )
      }
    }
    return undefined
  }
}
