import { BASE_TEMPLATE } from './base.ts'
import { BLOCKSYNC_TEMPLATE } from './blocksync.ts'
import { CONSENSUS_TEMPLATE } from './consensus.ts'
import { INSTRUMENTATION_TEMPLATE } from './instrumentation.ts'
import { MEMPOOL_TEMPLATE } from './mempool.ts'
import { P2P_TEMPLATE } from './p2p.ts'
import { RPC_TEMPLATE } from './rpc.ts'
import { STATESYNC_TEMPLATE } from './statesync.ts'
import { STORAGE_TEMPLATE } from './storage.ts'
import { TX_INDEX_TEMPLATE } from './tx-index.ts'

/** The templates of the sections of config.toml, in the order in which the reference writes the sections. */
export const CONFIG_TEMPLATE: readonly string[] = [
  BASE_TEMPLATE,
  RPC_TEMPLATE,
  P2P_TEMPLATE,
  MEMPOOL_TEMPLATE,
  STATESYNC_TEMPLATE,
  BLOCKSYNC_TEMPLATE,
  CONSENSUS_TEMPLATE,
  STORAGE_TEMPLATE,
  TX_INDEX_TEMPLATE,
  INSTRUMENTATION_TEMPLATE,
]
