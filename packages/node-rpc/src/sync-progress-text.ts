import type { SyncProgress } from '@org/engine'

/** Returns a line of text that shows how far block sync is; `undefined` if there is no progress to show. */
export function syncProgressText(progress: SyncProgress | undefined): string | undefined {
  if (progress === undefined) return undefined
  const { height, maxPeerHeight, peers } = progress
  if (peers === 0) return `block sync: at height ${height}, no peer has reported its height yet`
  const top = Math.max(height, maxPeerHeight)
  return `block sync: at height ${height} of ${top}, from ${peers} ${peers === 1 ? 'peer' : 'peers'}`
}
