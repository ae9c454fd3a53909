import type { RpcClient, RpcMethods, SubscribeOptions } from '@org/rpc/client'
import { type Clock, createSystemClock } from '@org/runtime'
import { createLightClient, type LightClient } from '../client/light-client.ts'
import type { LightClientModules, LightClientOptions, TrustRoot } from '../client/options.ts'
import type { Provider, RequestOptions } from '../provider/port.ts'
import { createRpcProvider } from '../provider/rpc-provider.ts'
import { createMemoryLightStore } from '../store/memory-store.ts'
import type { Verified } from './answer.ts'
import { createVerifiedBlocks, type VerifiedBlocks } from './blocks.ts'
import { type VerifiedEvent, verifiedEvents } from './events.ts'
import { createHeaders } from './headers.ts'
import { createVerifiedQuery, type QueryOptions, type VerifiedQuery } from './query.ts'
import { createVerifiedState, type VerifiedState } from './state.ts'
import { createVerifiedTransactions, type VerifiedTransactions } from './transactions.ts'

type VerifiedName = keyof VerifiedBlocks | keyof VerifiedState | keyof VerifiedTransactions | 'abciQuery'

/**
 * The methods of the typed client whose answers are compared with verified headers. A wrong answer rejects with
 * `LIGHT_WRONG_ANSWER`, and an answer without a proof with `LIGHT_UNPROVABLE`.
 */
export interface VerifiedClient extends VerifiedBlocks, VerifiedState, VerifiedTransactions {
  readonly abciQuery: Verified<'abciQuery', VerifiedQuery>
  /**
   * Yields the events of a query. The member `verified` of an event says which part of it is verified. Needs a
   * WebSocket.
   */
  readonly subscribe: (query: string, options?: SubscribeOptions) => AsyncIterable<VerifiedEvent>
  readonly light: LightClient
  /**
   * The methods of the RPC client without verification, for answers that nothing can prove. They send the calls to the
   * node whose answers the other methods verify.
   */
  readonly unverified: RpcMethods
  readonly close: () => void
}

export type { VerifiedName }

/** The options of verified calls. */
export interface VerifiedMethodsOptions extends QueryOptions {
  /**
   * The maximum number of milliseconds to wait for the next block, whose header has the app hash and the results hash.
   * Default: 30,000.
   */
  readonly maxWaitMs?: number
}

/** The RPC client, the light client and the clock that the methods of a {@link VerifiedClient} use. */
export interface VerifiedMethodsModules {
  /** The RPC client of the node whose answers are verified. */
  readonly client: RpcClient
  readonly light: LightClient
  readonly clock?: Clock
}

/** Makes a verified client over an existing light client. */
export function createVerifiedMethods(
  { maxWaitMs = 30_000, ...query }: VerifiedMethodsOptions,
  { client, light, clock = createSystemClock() }: VerifiedMethodsModules,
): VerifiedClient {
  const headers = createHeaders({ maxWaitMs }, { light, clock })
  const modules = { client, headers }
  const blocks = createVerifiedBlocks(modules)
  return {
    ...blocks,
    ...createVerifiedState(modules),
    ...createVerifiedTransactions(modules),
    abciQuery: createVerifiedQuery(query, modules),
    subscribe: (text, options) => verifiedEvents({ client, headers, blocks }, text, options),
    light,
    unverified: client,
    close: client.close,
  }
}

/** The header to trust, and the options of the light client. */
export interface Trust extends TrustRoot, Omit<LightClientOptions, 'trust' | 'trustingPeriod'> {
  /**
   * The time in nanoseconds for which a header is trusted, counted from the time in the header. It must be clearly
   * shorter than the unbonding period.
   */
  readonly period: bigint
}

/** The options of {@link createVerifiedClient}. */
export interface VerifiedClientOptions
  extends VerifiedMethodsOptions,
    Partial<Omit<LightClientModules, 'primary' | 'witnesses'>>,
    RequestOptions {
  /** The client of the node that answers. The node need not be trusted. */
  readonly client: RpcClient
  readonly trust: Trust
  /**
   * The witnesses: at least one node in addition to the node that answers. They confirm the headers. The node that
   * answers or one of the witnesses must be honest.
   */
  readonly witnesses: readonly Provider[]
}

/**
 * Makes a client whose answers are verified. It trusts only the given header. Without a store, verified headers are
 * kept in memory. Rejects as `createLightClient` does.
 */
export async function createVerifiedClient(options: VerifiedClientOptions): Promise<VerifiedClient> {
  const { client, trust, witnesses, store = createMemoryLightStore(), ...rest } = options
  const { height, hash, period, ...settings } = trust
  const primary = createRpcProvider({ chainId: settings.chainId, name: 'the node' }, { ...rest, client })
  const light = await createLightClient(
    { ...settings, trust: { height, hash }, trustingPeriod: period },
    { ...rest, primary, witnesses, store },
  )
  return createVerifiedMethods(rest, { ...rest, client, light })
}
