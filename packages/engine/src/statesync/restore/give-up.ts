import type { Logger } from '@org/runtime'
import type { Snapshot } from '@org/types/abci'
import { shownBytes } from '@org/types/bytes'
import { GIVEN_UP } from './errors.ts'
import type { RestoreOutcome } from './restore-snapshot.ts'
import type { SnapshotPool } from './snapshot-pool.ts'

export interface GiveUpModules {
  readonly pool: SnapshotPool
  readonly logger: Logger
  readonly rejectPeer: (peer: string, reason: string) => void
  /**
   * The maximum number of attempts to prove the app hash of a snapshot. If all of them fail, the snapshot is rejected.
   */
  readonly maxProofAttempts: number
}

const OTHER_PEERS =
  'nothing needs to be done if other peers have snapshots; otherwise add such peers to p2p.persistent_peers'

/** The advice for an operator, in the log line about a snapshot that was rejected or put aside. */
const ADVICE: Readonly<Record<keyof typeof GIVEN_UP, string>> = {
  rejected: 'the log of the application may have the reason',
  retries:
    'look at the log of the application for the reason of its retries, and repair it; if all snapshots end like this, reset its data, and start the node again',
  format: 'run the release of the application that reads this format, or add peers with other snapshots',
  sender: OTHER_PEERS,
  timeout: OTHER_PEERS,
  noPeers: OTHER_PEERS,
  unverified:
    'if this happens again, check the application and the peers that sent the snapshot: their state may differ from the chain',
  unproven: 'check that statesync.rpc_servers follow the chain; the snapshot is tried again',
}

/**
 * Handles an attempt that did not restore the snapshot. Rejects the snapshot, its format or its peers, or puts the
 * snapshot aside. Logs the reason.
 */
export function giveUp(
  snapshot: Snapshot,
  outcome: Exclude<RestoreOutcome, { readonly type: 'restored' }>,
  { pool, logger, rejectPeer, maxProofAttempts }: GiveUpModules,
): void {
  const { height, format, hash } = snapshot
  const fields = { height, format, hash: shownBytes(hash), code: GIVEN_UP[outcome.type], advice: ADVICE[outcome.type] }
  switch (outcome.type) {
    case 'rejected':
      pool.reject(snapshot)
      logger.info('Snapshot rejected', fields)
      break
    case 'retries':
      pool.reject(snapshot)
      logger.error('The application requested too many retries, rejected snapshot', fields)
      break
    case 'format':
      pool.rejectFormat(format)
      logger.info('Snapshot format rejected', fields)
      break
    case 'sender':
      logger.info('Snapshot senders rejected', fields)
      for (const peer of pool.peersOf(snapshot)) rejectPeer(peer, 'the application rejected the snapshot of this peer')
      break
    case 'timeout':
      pool.reject(snapshot)
      logger.error('Timed out waiting for snapshot chunks, rejected snapshot', fields)
      break
    case 'noPeers':
      // The snapshot is not rejected. If a peer offers it again later, it can still be restored.
      logger.warn('No peer offers the snapshot any more', fields)
      break
    case 'unverified':
      logger.error('The snapshot is not of this chain', { ...fields, err: outcome.error.message })
      for (const peer of pool.peersOf(snapshot)) rejectPeer(peer, 'the snapshot of this peer is not of this chain')
      pool.reject(snapshot)
      break
    case 'unproven':
      if (pool.postpone(snapshot) >= maxProofAttempts) pool.reject(snapshot)
      logger.warn('Failed to prove the app hash of a snapshot', { ...fields, reason: outcome.reason })
      break
  }
}
