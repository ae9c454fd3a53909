import type { Random } from '@org/runtime'
import { equalPartSetHeaders, type PartSet } from '@org/types'
import { isProposer } from '../machine/index.ts'
import { type HeldMessages, partSetKey } from './held-messages.ts'
import { blockPartMessage, proposalMessage, proposalPolMessage } from './messages.ts'
import { CHANNELS, PARTS_OF_SMALL_BLOCK } from './options.ts'
import type { PeerRoundState } from './peer-round-state.ts'
import type { Sending } from './peer-sender.ts'
import type { GossipBlockStore, View } from './ports.ts'

export interface DataSources {
  readonly view: () => View
  readonly blockStore: GossipBlockStore
  readonly random: Random
  readonly heldMessages: Pick<HeldMessages, 'withoutHeld'>
}

/**
 * Returns a part or the proposal that the peer lacks. If the peer is at this node's height, the result is from the
 * current round. If the peer is at a lower height, the result is a part of the committed block of that height.
 */
export function nextData(peer: PeerRoundState, sources: DataSources): Sending | undefined {
  const { view, blockStore, random } = sources
  const local = view()
  const part = partOfCurrent(local, peer, sources)
  if (part !== undefined) return part
  const base = blockStore.base()
  if (base > 0 && peer.height > 0 && peer.height < local.height && peer.height >= base) {
    return partForCatchup(peer, blockStore, random)
  }
  if (local.height !== peer.height || local.round !== peer.round) return undefined
  return local.proposal === undefined || peer.proposal ? undefined : proposalOf(local, peer)
}

/**
 * Returns the part set that the peer expects, if this node has parts of it. The peer may still wait for the block that
 * an earlier round decided. In a later round, this node may have the parts of that block only as its locked block or
 * its valid block.
 */
function partsFor({ height, incoming, locked, valid }: View, peer: PeerRoundState): PartSet | undefined {
  const sets = peer.height === height ? [incoming, locked, valid] : [incoming]
  return sets.find((set) => set?.parts.hasHeader(peer.proposalPartSetHeader))?.parts
}

function partOfCurrent(local: View, peer: PeerRoundState, { random, heldMessages }: DataSources): Sending | undefined {
  if (peer.proposalParts === undefined) return undefined
  const parts = partsFor(local, peer)
  if (parts === undefined) return undefined
  const lacking = parts.bits.sub(peer.proposalParts)
  if (lacking.isEmpty()) return undefined
  if (peer.mayHaveBlock && parts.header.total <= PARTS_OF_SMALL_BLOCK && !isProposer(local)) return undefined
  const index = heldMessages.withoutHeld(partSetKey(local), lacking).pick(random)
  const part = index === undefined ? undefined : parts.part(index)
  if (index === undefined || part === undefined) return undefined
  const { height, round } = peer
  return {
    channel: CHANNELS.data,
    encode: () => blockPartMessage(local, part),
    sent: () => peer.setHasPart(height, round, index),
  }
}

function partForCatchup(peer: PeerRoundState, blockStore: GossipBlockStore, random: Random): Sending | undefined {
  const { height, round } = peer
  const header = blockStore.loadBlockMeta(height)?.blockId.partSetHeader
  if (header === undefined) return undefined
  peer.initProposalParts(header)
  // The peer still expects the parts of another block. When the peer has received the commit, it will expect the parts
  // of the committed block.
  if (!equalPartSetHeaders(header, peer.proposalPartSetHeader)) return undefined
  const index = peer.proposalParts?.not().pick(random)
  const part = index === undefined ? undefined : blockStore.loadBlockPart(height, index)
  if (index === undefined || part === undefined) return undefined
  return {
    channel: CHANNELS.data,
    encode: () => blockPartMessage({ height, round }, part),
    sent: () => peer.setHasPart(height, round, index),
  }
}

function proposalOf({ proposal, votes }: View, peer: PeerRoundState): Sending | undefined {
  if (proposal === undefined) return undefined
  const prevotes = proposal.polRound < 0 ? undefined : votes.prevotes(proposal.polRound)
  const sending = {
    channel: CHANNELS.data,
    encode: () => proposalMessage(proposal),
    sent: () => peer.setHasProposal(proposal),
  }
  if (prevotes === undefined) return sending
  const pol: Sending = {
    channel: CHANNELS.data,
    encode: () => proposalPolMessage(proposal, prevotes),
    sent: () => undefined,
  }
  return { ...sending, followUp: pol }
}
