/** A height, round and step. Steps are numbered in their order; the caller chooses the numbers. */
export interface Place {
  readonly height: number
  readonly round: number
  readonly step: number
}

/** Returns a negative number if `a` is before `b`, a positive one if `a` is after `b`, and 0 if they are equal. */
export function comparePlaces(a: Place, b: Place): number {
  return a.height - b.height || a.round - b.round || a.step - b.step
}
