/** A place in a source file that is replaced while the file is loaded. The file itself is not changed. */
export interface Place {
  /** The end of the file's path. */
  readonly file: string
  /** Must occur exactly once. */
  readonly find: string
  readonly replace: string
}

/** A planted bug. */
export interface PlantedBug extends Place {
  readonly name: string
  readonly about: string
  /** A second place where the node defends itself against the same input. */
  readonly also?: Place
}

/** Every place that a planted bug replaces. */
export function placesOf(mutant: PlantedBug): readonly Place[] {
  return mutant.also === undefined ? [mutant] : [mutant, mutant.also]
}
