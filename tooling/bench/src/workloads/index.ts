import { blocks, startup } from './blocks.ts'
import { reads } from './reads.ts'
import { search } from './search.ts'
import { accepted, inProcess, latency, overSocket } from './transactions.ts'
import type { Workload } from './workload.ts'

export const WORKLOADS: readonly Workload[] = [startup, blocks, inProcess, overSocket, latency, accepted, reads, search]
export { type Measurement, SMALLER_IS_BETTER, type Workload, type WorkloadContext } from './workload.ts'
