import { refused } from '../errors.ts'
import type { Ports } from './ports.ts'

const absent = (): never => {
  throw refused('this process stores no blocks')
}

/**
 * The ports of a process that has no blocks, no states and no index. Their methods return that nothing is stored, or
 * throw an error.
 */
export const NO_DATA: Pick<Ports, 'blocks' | 'state' | 'search'> = {
  blocks: {
    base: () => 0,
    height: () => 0,
    loadBlock: () => undefined,
    loadBlockMeta: () => undefined,
    loadBlockMetaByHash: () => undefined,
    loadBlockByHash: () => undefined,
    loadBlockCommit: () => undefined,
    loadSeenCommit: () => undefined,
  },
  state: { loadValidators: absent, loadConsensusParams: absent, loadFinalizeBlockResponse: absent },
  search: { enabled: false, tx: absent, txs: absent, blocks: absent },
}
