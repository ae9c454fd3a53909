/** One place in one source file that is replaced while the file is loaded. The file itself stays as it is. */
export interface Place {
  /** The end of the file's path. */
  readonly file: string
  /** Must be there exactly once. */
  readonly find: string
  readonly replace: string
}

/** A bug that is planted. */
export interface Mutant extends Place {
  readonly name: string
  readonly about: string
  /** A second place, in another file, where the node defends itself against the same input. */
  readonly also?: Place
}

/** Every place that a planted bug replaces. */
export function placesOf(mutant: Mutant): readonly Place[] {
  return mutant.also === undefined ? [mutant] : [mutant, mutant.also]
}
