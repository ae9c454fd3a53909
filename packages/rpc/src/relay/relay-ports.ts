import { refused } from '../errors.ts'
import type { Ports } from '../ports/index.ts'
import type { Relay } from './relay.ts'

const absent = (): never => {
  throw refused('a relay stores nothing')
}

/** The parts of a process that stores no blocks: no operation of a relay reads them. */
export function relayPorts({ events }: Relay): Ports {
  return {
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
    ...(events === undefined ? {} : { events }),
  }
}
