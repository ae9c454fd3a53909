/**
 * A position in the course of consensus: a height, round and step. The caller chooses the numbers of the steps. A later
 * step must have a higher number.
 */
export interface ConsensusPosition {
  readonly height: number
  readonly round: number
  readonly step: number
}

/** Returns a negative number if `a` is before `b`, a positive one if `a` is after `b`, and 0 if they are equal. */
export function compareConsensusPositions(a: ConsensusPosition, b: ConsensusPosition): number {
  return a.height - b.height || a.round - b.round || a.step - b.step
}
