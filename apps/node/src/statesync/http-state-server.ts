import { boundedFetch, createHttpProvider, type ProviderRetry } from '@org/light'
import type { StateServer } from '@org/node-rpc/statesync'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import type { Clock, Random } from '@org/runtime'

/** The maximum size of the answer with the consensus parameters, which take about 600 bytes. */
const PARAMS_BOUNDS = { maxBytes: 64 * 1024, maxItems: 1000 }

export interface HttpStateServerModules {
  readonly clock: Clock
  readonly random: Random
  readonly onRetry: (retry: ProviderRetry) => void
}

/** Creates a server that gets headers and parameters from the RPC of a node. `url` is an entry of `statesync.rpc_servers`. */
export function createHttpStateServer(
  { chainId, url }: { readonly chainId: string; readonly url: string },
  modules: HttpStateServerModules,
): StateServer {
  const provider = createHttpProvider({ chainId, url }, modules)
  const ask = boundedFetch(globalThis.fetch, PARAMS_BOUNDS, provider.name)
  const client = createRpcClient(createHttpTransport(provider.name, { fetch: ask }))
  return {
    ...provider,
    consensusParams: async (height, signal) => (await client.consensusParams({ height }, { signal })).consensusParams,
  }
}
