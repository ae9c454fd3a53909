import type { Route } from '../call/route.ts'
import type { RpcOptions } from '../options.ts'
import type { Ports } from '../ports/index.ts'
import { abciInfo, abciQuery } from './app.ts'
import { block, blockByHash, blockchain, blockResults, commit, header, headerByHash } from './blocks.ts'
import { consensusState, dumpConsensusState } from './consensus-state.ts'
import { DEVNET_ROUTES } from './devnet.ts'
import { subscribe, unsubscribe, unsubscribeAll } from './events.ts'
import { broadcastEvidence } from './evidence.ts'
import { genesis, genesisChunked } from './genesis.ts'
import { health, netInfo, status } from './info.ts'
import { blockSearch, tx, txSearch } from './search.ts'
import { consensusParams, validators } from './state.ts'
import {
  broadcastTxAsync,
  broadcastTxCommit,
  broadcastTxSync,
  checkTx,
  numUnconfirmedTxs,
  unconfirmedTxs,
} from './txs.ts'
import { dialPeers, dialSeeds, unsafeFlushMempool } from './unsafe.ts'

/**
 * All operations of the RPC, except those that control a devnet. Transports, documents and the client are made from
 * this table.
 */
export const ROUTES = {
  subscribe,
  unsubscribe,
  unsubscribe_all: unsubscribeAll,
  health,
  status,
  net_info: netInfo,
  blockchain,
  genesis,
  genesis_chunked: genesisChunked,
  block,
  block_by_hash: blockByHash,
  block_results: blockResults,
  commit,
  header,
  header_by_hash: headerByHash,
  check_tx: checkTx,
  tx,
  tx_search: txSearch,
  block_search: blockSearch,
  validators,
  dump_consensus_state: dumpConsensusState,
  consensus_state: consensusState,
  consensus_params: consensusParams,
  unconfirmed_txs: unconfirmedTxs,
  num_unconfirmed_txs: numUnconfirmedTxs,
  broadcast_tx_commit: broadcastTxCommit,
  broadcast_tx_sync: broadcastTxSync,
  broadcast_tx_async: broadcastTxAsync,
  abci_query: abciQuery,
  abci_info: abciInfo,
  broadcast_evidence: broadcastEvidence,
  dial_seeds: dialSeeds,
  dial_peers: dialPeers,
  unsafe_flush_mempool: unsafeFlushMempool,
} as const

/** Returns the operations of a node, with those that control a devnet if `devnet` is true. */
export function routesOf({ devnet }: { readonly devnet: boolean }): readonly Route[] {
  return [...Object.values(ROUTES), ...(devnet ? Object.values(DEVNET_ROUTES) : [])]
}

/**
 * Returns the operations of a node by name. An operation is left out if the options exclude it, or if the node lacks a
 * part that the operation needs.
 */
export function activeRoutes(options: RpcOptions, ports: Ports): ReadonlyMap<string, Route> {
  const active = new Map<string, Route>()
  for (const route of routesOf({ devnet: ports.devnet !== undefined })) {
    if (route.own === true && options.strict) continue
    const isAllowed = route.unsafe !== true || options.unsafe
    const hasParts = (route.needs ?? []).every((part) => ports[part] !== undefined)
    const isWanted = options.operations === 'all' || options.operations.includes(route.name)
    if (!isAllowed || !hasParts || !isWanted) continue
    const { cache: _cache, ...uncached } = route
    active.set(route.name, options.cacheHeaders ? route : uncached)
  }
  return active
}
