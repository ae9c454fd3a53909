import { boundedFetch, createHttpProvider, LIGHT_ERRORS, LightError, type ProviderRetry } from '@org/light'
import type { StateServer } from '@org/node-rpc/statesync'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import { type Clock, type Random, withTimeLimit } from '@org/runtime'

/** The maximum size of the answer with the consensus parameters, which take about 600 bytes. */
const PARAMS_BOUNDS = { maxBytes: 64 * 1024, maxItems: 1000 }
/**
 * The time limit of the answer with the consensus parameters, in milliseconds. The node requests the parameters from
 * all servers, and needs the same parameters from two servers. This limit is shorter than the time limit of the proof
 * of a snapshot (`proofMs`). So if one server does not answer, the proof can still succeed with the answers of two
 * other servers.
 */
const PARAMS_MS = 10_000
/**
 * The number of attempts for one request of the light client. A server that does not answer can delay the proof of one
 * snapshot three times. The first delay is a request to the server as the primary. Then a witness becomes the primary,
 * and the server becomes a witness. As a witness, the server can delay the verification of two blocks. With this number
 * of attempts, the three delays together are shorter than the time limit of the proof (`proofMs`).
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
  const fetchBounded = boundedFetch(globalThis.fetch, PARAMS_BOUNDS, provider.name)
  const client = createRpcClient(createHttpTransport(provider.name, { fetch: fetchBounded }))
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
