import type { Clock } from '@org/runtime'
import type { SnapshotPeers } from './ports.ts'
import type { SnapshotPool } from './snapshot-pool.ts'

export interface WaitModules {
  readonly pool: Pick<SnapshotPool, 'best' | 'sizes'>
  readonly peers: Pick<SnapshotPeers, 'areNamedConnected'>
  readonly clock: Clock
}

/** The interval between two checks of the snapshots. */
const STEP_MS = 250
/** If no further snapshot arrives within this time, the node expects no more snapshots. */
const QUIET_MS = 1000

/**
 * Waits for `discoveryMs`. The wait ends early if three conditions hold for `QUIET_MS`. All peers that the operator
 * named are connected; the pool has a snapshot that can be used; and no further snapshot has arrived.
 */
export async function waitForSnapshots(
  discoveryMs: number,
  { pool, peers, clock }: WaitModules,
  signal: AbortSignal,
): Promise<void> {
  const { areNamedConnected } = peers
  const end = clock.monotonic() + discoveryMs
  let quietSince = clock.monotonic()
  let count = 0
  for (;;) {
    const remainingMs = end - clock.monotonic()
    if (remainingMs <= 0) return
    await clock.sleep(areNamedConnected === undefined ? remainingMs : Math.min(remainingMs, STEP_MS), signal)
    const { snapshots } = pool.sizes()
    const isQuiet = snapshots === count && pool.best() !== undefined && areNamedConnected?.() === true
    if (!isQuiet) quietSince = clock.monotonic()
    count = snapshots
    if (clock.monotonic() - quietSince >= QUIET_MS) return
  }
}
