import { PLANTED_BUGS, type PlantedBug } from '@org/sim/planted'

function named(name: string): PlantedBug {
  const bug = PLANTED_BUGS.find((each) => each.name === name)
  if (bug === undefined) throw new Error(`tooling/sim plants no bug ${name}`)
  return bug
}

/**
 * The bugs that a scenario can have. A bug changes one or more source files. The bundle of the nodes contains each of
 * these source files without a bug, and also one variant of the source file for each bug. The source files on disk do
 * not change.
 */
export const PLANTED: readonly PlantedBug[] = ['power-half', 'block-not-validated'].map(named)
