import type { Peer } from '@org/p2p'
import type { BlockStore } from '../../store/index.ts'
import type { Consensus } from '../driver/index.ts'
import type { RoundState } from '../machine/index.ts'

export type GossipConsensus = Pick<
  Consensus,
  'roundState' | 'isDurable' | 'receive' | 'receiveMaj23' | 'forget' | 'leave' | 'setGossip'
>

/** The source of blocks and commits for peers at a lower height. */
export type GossipBlockStore = Pick<
  BlockStore,
  'base' | 'height' | 'loadBlockMeta' | 'loadBlockPart' | 'loadBlockCommit' | 'loadSeenCommit' | 'loadExtendedCommit'
>

export interface GossipPeers {
  readonly stop: (peer: Peer, reason: Error) => void
  readonly markGood: (peer: Peer) => void
}

export type View = Readonly<RoundState>
