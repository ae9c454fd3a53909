import type { SyncProgress } from '@org/engine'

/** One line for an operator about block sync. */
export function syncProgressText(progress: SyncProgress | undefined): string | undefined {
  if (progress === undefined) return undefined
  const { height, maxPeerHeight, peers } = progress
  if (peers === 0) return `block sync: at height ${height}, no peer has reported its height yet`
  const top = Math.max(height, maxPeerHeight)
  return `block sync: at height ${height} of ${top}, from ${peers} ${peers === 1 ? 'peer' : 'peers'}`
}
