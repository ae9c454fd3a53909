import type { Part, Proposal, Vote } from '@org/types'

/** A consensus message between nodes, which is also an input of the machine. */
export type ConsensusMessage =
  | { readonly kind: 'proposal'; readonly proposal: Proposal }
  | { readonly kind: 'blockPart'; readonly height: number; readonly round: number; readonly part: Part }
  | { readonly kind: 'vote'; readonly vote: Vote }
