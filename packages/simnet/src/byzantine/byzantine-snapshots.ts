import type { Snapshot } from '@org/types/abci'
import { type ChunkResponse, StateSyncMessage } from '@org/types/messages'
import { type TallySnapshot, tallySnapshot } from '../app/index.ts'
import type { ChannelMessage } from '../peers/index.ts'
import { type Behaviour, SNAPSHOT_LIES } from './behaviours.ts'

const FUTURE = 1000
const UNKNOWN_FORMAT = 7
const MANY_CHUNKS = 2 ** 32 - 1
/** The number of times that a flood sends each message. */
const TIMES = 20

/** Returns the messages that replace a message of state sync. */
export type ByzantineSnapshots = (channelMessage: ChannelMessage) => readonly ChannelMessage[]

export interface ByzantineSnapshotsModules {
  readonly behaviours: readonly Behaviour[]
  readonly onDeed: (behaviour: Behaviour) => void
}

const falseSnapshot = (height: number): TallySnapshot =>
  tallySnapshot({ height, txs: new Map([[`tx:false-${height}`, 1]]) })

function spoiledChunk(chunk: Uint8Array): Uint8Array {
  const spoiled = chunk.slice()
  spoiled[0] = (spoiled[0] ?? 0) ^ 1
  return spoiled
}

/**
 * Lies about the snapshots of the application. If `behaviours` has several of {@link SNAPSHOT_LIES}, only the first one
 * in the order of that list is used.
 */
export function createByzantineSnapshots({ behaviours, onDeed }: ByzantineSnapshotsModules): ByzantineSnapshots {
  const kind = SNAPSHOT_LIES.find((each) => behaviours.includes(each))
  if (kind === undefined) return (channelMessage) => [channelMessage]

  function snapshots(snapshot: Snapshot): readonly Snapshot[] {
    switch (kind) {
      case 'falseSnapshots':
        return [falseSnapshot(snapshot.height).snapshot]
      case 'futureSnapshots':
        return [{ ...snapshot, height: snapshot.height + FUTURE }]
      case 'oddSnapshots':
        return [
          { ...snapshot, format: UNKNOWN_FORMAT },
          { ...snapshot, chunks: MANY_CHUNKS },
          { ...snapshot, hash: snapshot.hash.map((byte) => byte ^ 1) },
        ]
      case 'floodSnapshots':
        return Array.from({ length: TIMES }, (_, index) => ({ ...snapshot, format: 1 + index }))
      default:
        return [snapshot]
    }
  }

  function chunks(response: ChunkResponse): readonly ChunkResponse[] {
    const { height, index } = response
    switch (kind) {
      case 'falseSnapshots':
        return [{ ...response, chunk: falseSnapshot(height).chunks[index] ?? new Uint8Array(0), missing: false }]
      case 'badChunks':
        return [{ ...response, chunk: spoiledChunk(response.chunk) }]
      case 'noChunks':
        return []
      case 'missingChunks':
        return [{ ...response, chunk: new Uint8Array(0), missing: true }]
      case 'floodSnapshots':
        return [response, ...Array.from({ length: TIMES }, (_, more) => ({ ...response, index: index + more }))]
      default:
        return [response]
    }
  }

  return (channelMessage) => {
    const { sum } = StateSyncMessage.decode(channelMessage.bytes)
    const encode = (sum: StateSyncMessage['sum']): ChannelMessage => ({
      channel: channelMessage.channel,
      bytes: StateSyncMessage.encode({ sum }),
    })
    if (sum?.case === 'snapshotsResponse') {
      onDeed(kind)
      return snapshots(sum.value).map((value) => encode({ case: 'snapshotsResponse', value }))
    }
    if (sum?.case !== 'chunkResponse') return [channelMessage]
    onDeed(kind)
    return chunks(sum.value).map((value) => encode({ case: 'chunkResponse', value }))
  }
}
