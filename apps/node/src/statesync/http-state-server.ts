import { boundedFetch, createHttpProvider, LIGHT_ERRORS, LightError, type ProviderRetry } from '@org/light'
import type { StateServer } from '@org/node-rpc/statesync'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import { type Clock, type Random, withTimeLimit } from '@org/runtime'

/** The maximum size of the answer with the consensus parameters, which take about 600 bytes. */
const PARAMS_BOUNDS = { maxBytes: 64 * 1024, maxItems: 1000 }
/**
 * The time limit of the answer with the consensus parameters, in milliseconds. It is shorter than the time limit of the
 * proof of a snapshot (`proofMs`): if one server does not answer, there is still time for the answers of the other
 * servers, which may be enough.
 */
const PARAMS_MS = 10_000
/**
 * The number of attempts for one request of the light client. A server that does not answer can delay the proof of one
 * snapshot three times: as the primary, and then as the witness of two blocks. With this number of attempts, three such
 * delays are shorter than the time limit of the proof (`proofMs`).
 */
const ATTEMPTS = 3

export interface HttpStateServerModules {
  readonly clock: Clock
  readonly random: Random
  readonly onRetry: (retry: ProviderRetry) => void
}

/**
 * Creates a server that gets headers and parameters from the RPC of a node. `url` is an entry of
 * `statesync.rpc_servers`.
 */
export function createHttpStateServer(
  { chainId, url }: { readonly chainId: string; readonly url: string },
  modules: HttpStateServerModules,
): StateServer {
  const provider = createHttpProvider({ chainId, url, attempts: ATTEMPTS }, modules)
  const ask = boundedFetch(globalThis.fetch, PARAMS_BOUNDS, provider.name)
  const client = createRpcClient(createHttpTransport(provider.name, { fetch: ask }))
  return {
    ...provider,
    consensusParams: async (height, signal) => {
      const message = `${provider.name} did not send the consensus parameters within ${PARAMS_MS / 1000} s`
      const late = () => new LightError(LIGHT_ERRORS.noResponse, message)
      const limit = { clock: modules.clock, ms: PARAMS_MS, late, signal }
      return (await withTimeLimit(limit, (either) => client.consensusParams({ height }, { signal: either })))
        .consensusParams
    },
  }
}
