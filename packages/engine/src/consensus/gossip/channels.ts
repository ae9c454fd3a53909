import type { ProtocolChannel } from '@org/p2p'
import type { ConsensusMessage } from '@org/types/messages'
import { CHANNELS, MAX_MESSAGE_SIZE } from './options.ts'

type Kind = NonNullable<ConsensusMessage['sum']>['case']

/** The channels of consensus, with the priorities and capacities of the reference. */
export const GOSSIP_CHANNELS: readonly ProtocolChannel<Kind>[] = [
  {
    id: CHANNELS.state,
    priority: 6,
    capacity: 100,
    maxBytes: MAX_MESSAGE_SIZE,
    carries: ['newRoundStep', 'newValidBlock', 'hasVote', 'voteSetMaj23'],
  },
  {
    id: CHANNELS.data,
    priority: 10,
    capacity: 100,
    maxBytes: MAX_MESSAGE_SIZE,
    carries: ['proposal', 'proposalPol', 'blockPart'],
  },
  { id: CHANNELS.vote, priority: 7, capacity: 100, maxBytes: MAX_MESSAGE_SIZE, carries: ['vote'] },
  { id: CHANNELS.voteSetBits, priority: 1, capacity: 2, maxBytes: MAX_MESSAGE_SIZE, carries: ['voteSetBits'] },
]
