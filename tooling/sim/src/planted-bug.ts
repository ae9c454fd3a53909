/** A text in a source file that is replaced while the file is loaded. The file itself is not changed. */
export interface Replacement {
  /** The end of the file's path. */
  readonly file: string
  /** The text to replace. The file must contain it exactly once. */
  readonly find: string
  readonly replace: string
}

export interface PlantedBug extends Replacement {
  readonly name: string
  readonly about: string
  /** A second text to replace. It belongs to a second defence of the node against the same input. */
  readonly also?: Replacement
}

/** Returns every text that a planted bug replaces. */
export function placesOf(mutant: PlantedBug): readonly Replacement[] {
  return mutant.also === undefined ? [mutant] : [mutant, mutant.also]
}

/** Returns the file's text with the bug. Throws unless the file contains the text to replace exactly once. */
export function plantAt({ file, find, replace }: Replacement, text: string, name: string): string {
  const count = text.split(find).length - 1
  if (count !== 1) throw new Error(`mutant ${name}: ${file} has its place ${count} times: the code has changed`)
  return text.replace(find, () => replace)
}
