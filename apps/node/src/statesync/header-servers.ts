import type { HeaderServer } from '@org/engine'
import { createHttpProvider } from '@org/light'
import { createHeaderServer } from '@org/node-rpc/statesync'
import type { Clock, Random } from '@org/runtime'

/**
 * Creates the servers that send headers below a snapshot. `urls` are the entries of `statesync.rpc_servers`. A failed
 * request is not repeated to the same server, because the engine then sends the request to another server.
 */
export function createHeaderServers(
  { chainId, urls }: { readonly chainId: string; readonly urls: readonly string[] },
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): readonly HeaderServer[] {
  return urls.map((url) => createHeaderServer(createHttpProvider({ chainId, url, attempts: 1 }, { clock, random })))
}
