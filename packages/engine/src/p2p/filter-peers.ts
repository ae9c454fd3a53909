import type { SwitchModules } from '@org/p2p'
import { RequestQuery, type ResponseQuery } from '@org/types/abci'

/**
 * Returns two filters that ask the application whether a peer may connect: one asks about the peer's address, the other
 * about its id. A filter resolves with the reason for a refusal, or with `undefined`.
 */
export function peerFilters(app: {
  readonly query: (request: RequestQuery) => Promise<ResponseQuery>
}): Required<Pick<SwitchModules, 'filterAddress' | 'filterId'>> {
  async function ask(path: string): Promise<string | undefined> {
    const { code, log } = await app.query(RequestQuery.create({ path }))
    return code === 0 ? undefined : `error querying abci app: code ${code}${log === '' ? '' : `: ${log}`}`
  }
  return {
    filterAddress: (address) => ask(`/p2p/filter/addr/${address}`),
    filterId: (id) => ask(`/p2p/filter/id/${id}`),
  }
}
