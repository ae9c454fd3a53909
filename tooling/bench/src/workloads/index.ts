import { blocks, startup } from './blocks.ts'
import { networkEmpty, networkLoad, networkPaced } from './network-validators.ts'
import { reads } from './reads.ts'
import { search } from './search.ts'
import { accepted, inProcess, latency, overSocket } from './transactions.ts'
import type { Workload } from './workload.ts'

export const WORKLOADS: readonly Workload[] = [startup, blocks, inProcess, overSocket, latency, accepted, reads, search]
/** `pnpm bench network`. */
export const NETWORK_WORKLOADS: readonly Workload[] = [networkEmpty, networkLoad, networkPaced]
export { type Measurement, SMALLER_IS_BETTER, type Workload, type WorkloadContext } from './workload.ts'
