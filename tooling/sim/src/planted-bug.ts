/** A text in a source file that is replaced while the file is loaded. The file itself is not changed. */
export interface Replacement {
  /** The end of the path of the source file, such as `packages/engine/src/consensus/gossip/judgements.ts`. */
  readonly file: string
  /** The text to replace. The file must contain it exactly once. */
  readonly find: string
  readonly replace: string
}

export interface PlantedBug extends Replacement {
  readonly name: string
  readonly about: string
  /** A second text to replace. The node has two defences against the same input, and the bug removes both. */
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
