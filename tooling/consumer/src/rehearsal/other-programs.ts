import { type PinnedProgram, pinnedProgramOfThisMachine, pinnedPrograms } from '@org/node-packages'
import { ROOT } from '../packages.ts'

/**
 * Returns a description of the pinned Node.js for each platform except the platform of this machine. In the rehearsal,
 * a stub (a small package) is published in place of each described Node.js.
 */
export function otherPrograms(): readonly PinnedProgram[] {
  const ownProgram = pinnedProgramOfThisMachine(ROOT)
  return pinnedPrograms(ROOT).filter(({ name }) => name !== ownProgram?.name)
}
