import type { JoiningPeers, RestoreStart } from '@org/engine'
import type { AddressBook } from '@org/p2p'
import type { Preparing } from '@org/rpc/server'
import type { Clock } from '@org/runtime'
import { addressOf } from '@org/types/crypto'
import { createPeersPort } from './peers.ts'

/** The address under which peers reach the node (`p2p.external_address`). */
export interface PreparingOptions {
  readonly externalAddress: string
}

/** The parts of a node that restores a snapshot; the RPC reads from them the data that it shows. */
export interface PreparingModules {
  readonly start: Pick<RestoreStart, 'genesisText' | 'publicKey'>
  readonly joining: Pick<JoiningPeers, 'peers' | 'nodeInfo'>
  readonly book: Pick<AddressBook, 'addPrivateIds'>
  readonly progress: () => string
  readonly clock: Clock
}

/**
 * Returns what the RPC can show while a node restores a snapshot: the progress, the genesis, the peers, and the node's
 * validator key.
 */
export function createPreparing({ externalAddress }: PreparingOptions, modules: PreparingModules): Preparing {
  const { start, joining, book, progress, clock } = modules
  return {
    progress,
    genesis: { text: () => start.genesisText },
    peers: createPeersPort({ p2p: { ...joining, book }, externalAddress, now: clock.now }),
    validator: { publicKey: start.publicKey, address: addressOf(start.publicKey) },
  }
}
