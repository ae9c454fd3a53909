import type { Part } from '@org/types/block'
import type { Proposal, Vote } from '@org/types/vote'

/** What peers and this node tell each other and what moves the machine. */
export type ConsensusMessage =
  | { readonly kind: 'proposal'; readonly proposal: Proposal }
  | { readonly kind: 'blockPart'; readonly height: number; readonly round: number; readonly part: Part }
  | { readonly kind: 'vote'; readonly vote: Vote }
