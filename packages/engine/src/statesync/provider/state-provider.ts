import type { Header } from '@org/types/block'
import type { ConsensusParams } from '@org/types/params'
import { type ProvenBlock, stateFromBlocks } from '../../execution/index.ts'
import type { StateProvider } from '../restore/index.ts'

/** The verified facts that a state is made of. Errors pass through: see `StateProvider`. */
export interface StateProviderModules {
  /** The first height of the chain. */
  readonly initialHeight: number
  /** A verified block without its transactions, for example of a light client. */
  readonly blockAt: (height: number, signal: AbortSignal) => Promise<ProvenBlock>
  /** The consensus parameters of the height of a verified header, for example of {@link agreedParams}. */
  readonly paramsOf: (header: Header, signal: AbortSignal) => Promise<ConsensusParams>
}

/**
 * Creates a state provider from verified blocks. The header of the next height proves a snapshot; the headers of the
 * next two heights prove its state.
 */
export function createStateProvider({ initialHeight, blockAt, paramsOf }: StateProviderModules): StateProvider {
  return {
    appHash: async (height, signal) => {
      const { header } = await blockAt(height + 1, signal)
      // The state will need this block too. If it does not exist yet, the snapshot is too new, and is put aside before
      // it is offered to the application.
      await blockAt(height + 2, signal)
      return header.appHash
    },
    commit: async (height, signal) => (await blockAt(height, signal)).commit,
    state: async (height, signal) => {
      const last = await blockAt(height, signal)
      const current = await blockAt(height + 1, signal)
      const next = await blockAt(height + 2, signal)
      const consensusParams = await paramsOf(current.header, signal)
      return stateFromBlocks({ last, current, next }, { initialHeight, consensusParams })
    },
  }
}
