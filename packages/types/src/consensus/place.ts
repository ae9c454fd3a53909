/** A height, round and step. Steps are numbered in their order; the caller chooses the numbers. */
export interface Place {
  readonly height: number
  readonly round: number
  readonly step: number
}

/** Below 0 if `a` comes before `b`, above 0 if after, 0 if it is the same place. */
export function comparePlaces(a: Place, b: Place): number {
  return a.height - b.height || a.round - b.round || a.step - b.step
}
