import { Message } from '@org/types/blocksync'
import type { Parcel } from '../peers/index.ts'
import type { Behaviour } from './behaviours.ts'

const FAR_HEIGHT = 1_000_000_000

/** Returns the messages that replace a message of block sync. */
export type SyncLiar = (parcel: Parcel) => readonly Parcel[]

export interface SyncLiarModules {
  readonly behaviours: readonly Behaviour[]
  readonly onDeed: (behaviour: Behaviour) => void
}

/** Lies about the blocks that the node has. */
export function createSyncLiar({ behaviours, onDeed }: SyncLiarModules): SyncLiar {
  const lie = (['claimEveryHeight', 'claimFutureHeights'] as const).find((known) => behaviours.includes(known))
  if (lie === undefined) return (parcel) => [parcel]
  return (parcel) => {
    const { sum } = Message.decode(parcel.bytes)
    switch (sum?.case) {
      case 'statusResponse': {
        onDeed(lie)
        const value = { base: 1, height: FAR_HEIGHT }
        return [{ channel: parcel.channel, bytes: Message.encode({ sum: { case: 'statusResponse', value } }) }]
      }
      case 'blockResponse':
        return lie === 'claimEveryHeight' ? [] : [parcel]
      case 'noBlockResponse':
        return []
      default:
        return [parcel]
    }
  }
}
