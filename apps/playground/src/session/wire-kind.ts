import { BLOCKSYNC_CHANNEL, CHANNELS, EVIDENCE_CHANNEL, MEMPOOL_CHANNEL } from '@org/engine/protocols'
import type { ChannelMessage } from '@org/simnet/network'
import { SignedMsgType } from '@org/types'
import { ConsensusMessage, BlockSyncMessage as SyncMessage } from '@org/types/messages'
import { blockName } from './block-name.ts'

/** The kinds of messages. Each kind has its own colour in the picture. */
export const WIRE_KINDS = [
  'proposal',
  'part',
  'prevote',
  'precommit',
  'transaction',
  'evidence',
  'block',
  'other',
] as const
export type WireKind = (typeof WIRE_KINDS)[number]

/** The contents of a message. `block` is empty for a vote for no block. */
export interface WireContents {
  readonly kind: WireKind
  readonly height: number
  readonly round: number
  readonly block: string
}

const OTHER: WireContents = { kind: 'other', height: 0, round: 0, block: '' }
const BY_CHANNEL: ReadonlyMap<number, WireContents> = new Map([
  [MEMPOOL_CHANNEL, { ...OTHER, kind: 'transaction' }],
  [EVIDENCE_CHANNEL, { ...OTHER, kind: 'evidence' }],
])

/**
 * Reads the parts of a message that the page shows. Returns `other` for an unreadable message, which a liar may send.
 */
export function readWireContents({ channel, bytes }: ChannelMessage): WireContents {
  try {
    if (channel === BLOCKSYNC_CHANNEL) return readSync(bytes)
    return channel === CHANNELS.data || channel === CHANNELS.vote
      ? readConsensus(bytes)
      : (BY_CHANNEL.get(channel) ?? OTHER)
  } catch {
    return OTHER
  }
}

/**
 * Reads a message of block sync. Only a message with a block has its own colour, because nodes send the other messages
 * all the time.
 */
function readSync(bytes: Uint8Array): WireContents {
  const { sum } = SyncMessage.decode(bytes)
  if (sum?.case !== 'blockResponse') return OTHER
  return { kind: 'block', height: sum.value.block?.header.height ?? 0, round: 0, block: '' }
}

function readConsensus(bytes: Uint8Array): WireContents {
  const { sum } = ConsensusMessage.decode(bytes)
  switch (sum?.case) {
    case 'proposal': {
      const { height, round, blockId } = sum.value.proposal
      return { kind: 'proposal', height, round, block: blockName(blockId.hash) }
    }
    case 'blockPart':
      return { kind: 'part', height: sum.value.height, round: sum.value.round, block: '' }
    case 'vote': {
      const { vote } = sum.value
      if (vote === undefined) return OTHER
      const kind = vote.type === SignedMsgType.prevote ? 'prevote' : 'precommit'
      return { kind, height: vote.height, round: vote.round, block: blockName(vote.blockId.hash) }
    }
    default:
      return OTHER
  }
}
