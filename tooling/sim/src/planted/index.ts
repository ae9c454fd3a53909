import type { PlantedBug } from '../planted-bug.ts'
import { CONSENSUS_MUTANTS } from './consensus.ts'
import { COST_MUTANTS } from './cost.ts'
import { DURABILITY_MUTANTS } from './durability.ts'
import { LIGHT_MUTANTS } from './light.ts'
import { PEER_MUTANTS } from './peers.ts'
import { RESTORE_MUTANTS } from './restore.ts'

export { type PlantedBug, placesOf, plantAt } from '../planted-bug.ts'

/**
 * Bugs that the simulations must find. Each bug is a mistake that a programmer could make, or leaves out a necessary
 * sync.
 */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...DURABILITY_MUTANTS,
  ...CONSENSUS_MUTANTS,
  ...PEER_MUTANTS,
  ...COST_MUTANTS,
  ...RESTORE_MUTANTS,
  ...LIGHT_MUTANTS,
]
