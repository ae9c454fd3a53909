import type { DevnetSubject } from '../devnet/devnet.ts'
import { blocks, memory, startup } from './blocks.ts'
import { devnetBlocks, devnetTransactions } from './devnet.ts'
import { explorerPages } from './explorer.ts'
import { HOSTILE_WORKLOADS } from './hostile.ts'
import { lightSequential, lightSkipping } from './light.ts'
import { networkGossip } from './network-gossip.ts'
import { networkSync, networkSyncLarge } from './network-sync.ts'
import { networkEmpty, networkLoad, networkPaced } from './network-validators.ts'
import { reads } from './reads.ts'
import { rpcEvents } from './rpc-events.ts'
import { rpcHold } from './rpc-hold.ts'
import { rpcInterval } from './rpc-interval.ts'
import { search } from './search.ts'
import { STATESYNC_WORKLOADS } from './statesync.ts'
import { accepted, inProcess, latency, overSocket } from './transactions.ts'
import type { Workload } from './workload.ts'

export const WORKLOADS: readonly Workload[] = [
  startup,
  blocks,
  memory,
  inProcess,
  overSocket,
  latency,
  accepted,
  reads,
  search,
]
/** The workloads of `pnpm bench network`. */
export const NETWORK_WORKLOADS: readonly Workload[] = [
  networkEmpty,
  networkLoad,
  networkPaced,
  networkSync,
  networkSyncLarge,
  networkGossip,
]
/** The workloads of `pnpm bench light`. */
export const LIGHT_WORKLOADS: readonly Workload[] = [lightSkipping, lightSequential]
/** The workloads of `pnpm bench devnet`. */
export const DEVNET_WORKLOADS: readonly Workload<DevnetSubject>[] = [devnetBlocks, devnetTransactions]
/** The workloads of `pnpm bench explorer`. */
export const EXPLORER_WORKLOADS: readonly Workload[] = [explorerPages]
/** The workloads of `pnpm bench statesync` and of `pnpm bench hostile`. */
export { HOSTILE_WORKLOADS, STATESYNC_WORKLOADS }
/** The workloads of `pnpm bench rpc`. */
export const RPC_WORKLOADS: readonly Workload[] = [reads, search, rpcEvents, rpcInterval, rpcHold]
export { type Measurement, SMALLER_IS_BETTER, type Workload, type WorkloadContext } from './workload.ts'
