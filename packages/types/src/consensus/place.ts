/** A place in the course of consensus. Steps are numbered in their order; what the numbers are is the caller's. */
export interface Place {
  readonly height: number
  readonly round: number
  readonly step: number
}

/** Below 0 if `a` comes before `b`, above 0 if after, 0 if it is the same place. */
export function comparePlaces(a: Place, b: Place): number {
  return a.height - b.height || a.round - b.round || a.step - b.step
}
