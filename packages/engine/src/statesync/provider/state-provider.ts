import type { ConsensusParams, Header } from '@org/types'
import { type ProvenBlock, stateFromBlocks } from '../../execution/index.ts'
import type { StateProvider } from '../restore/index.ts'

/**
 * The sources of the verified data from which a state is made. If one of the functions rejects, the state provider
 * rejects with the same error; see `StateProvider`.
 */
export interface StateProviderModules {
  /** The first height of the chain. */
  readonly initialHeight: number
  /** Resolves with a verified block without its transactions, for example from a light client. */
  readonly blockAt: (height: number, signal: AbortSignal) => Promise<ProvenBlock>
  /**
   * Resolves with the consensus parameters that are valid at the height of a verified header. An implementation can
   * call {@link agreedParams}.
   */
  readonly paramsOf: (header: Header, signal: AbortSignal) => Promise<ConsensusParams>
}

/**
 * Creates a state provider from verified blocks. The header of `height + 1` proves the app hash of a snapshot of
 * `height`. The headers of `height + 1` and `height + 2` prove the state.
 */
export function createStateProvider({ initialHeight, blockAt, paramsOf }: StateProviderModules): StateProvider {
  return {
    appHash: async (height, signal) => {
      const { header } = await blockAt(height + 1, signal)
      // State sync later needs the block of `height + 2` for the state. If this block does not exist yet, `appHash`
      // rejects. State sync then puts the snapshot aside, and does not offer it to the application now.
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
