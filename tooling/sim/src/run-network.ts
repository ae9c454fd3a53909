import { type RunResult, runScenario, type Scenario } from '@org/simnet'
import type { RpcClients } from './rpc-clients.ts'

export interface NetworkJob {
  readonly scenario: Scenario
  /** True if RPC clients send requests to the nodes. */
  readonly rpc?: boolean
}

/** Runs a network to its end. */
export async function runNetwork(
  { scenario, rpc = false }: NetworkJob,
  onTrace?: (line: string) => void,
): Promise<RunResult> {
  if (!rpc) return runScenario(scenario, { onTrace })
  const { createRpcClients } = await import('./rpc-clients.ts')
  let clients: RpcClients | undefined
  return runScenario(scenario, {
    onTrace,
    onNetwork: (network) => {
      clients = createRpcClients(network)
      clients.start()
    },
    onConcluded: async () => clients?.conclude(),
  })
}
