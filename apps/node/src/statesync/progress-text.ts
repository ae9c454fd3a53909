import type { RestoreProgress } from '@org/engine'
import { counted } from '../logging/counted.ts'

/** Returns the line for a phase in which no snapshot is being restored. */
function textBetween(phase: RestoreProgress['phase'], connected: number | undefined): string {
  if (phase === 'trusting') return 'state sync: verifying the trusted header with the RPC servers'
  if (phase === 'restored') return 'state sync: complete, the node starts'
  return `state sync: looking for a snapshot${connected === undefined ? '' : `, with ${counted(connected, 'peer')}`}`
}

/**
 * Returns one line about state sync for a person: the snapshot, the number of applied chunks, the number of all chunks,
 * and the number of peers that send chunks. `connected` is the number of connected peers.
 */
export function progressText(
  { phase, snapshot, applied, senders, peers }: RestoreProgress,
  connected?: number,
): string {
  if (snapshot === undefined) return textBetween(phase, connected)
  const { height, chunks } = snapshot
  const of = `the snapshot of height ${height}`
  if (phase === 'proving')
    return `state sync: proving ${of}, which ${counted(peers, 'peer')} ${peers === 1 ? 'offers' : 'offer'}`
  if (phase === 'verifying')
    return `state sync: verifying ${of} (${counted(chunks, 'chunk')} from ${counted(senders, 'peer')})`
  return `state sync: restoring ${of}: ${applied} of ${counted(chunks, 'chunk')}, from ${counted(senders, 'peer')}`
}
