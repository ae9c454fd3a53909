import { type PinnedProgram, pinnedProgramOfThisMachine, pinnedPrograms } from '@org/node-packages'
import { ROOT } from '../packages.ts'

/**
 * Returns the pinned Node.js of each platform other than that of this machine. The rehearsal publishes stubs in place
 * of these programs.
 */
export function otherPrograms(): readonly PinnedProgram[] {
  const own = pinnedProgramOfThisMachine(ROOT)
  return pinnedPrograms(ROOT).filter(({ name }) => name !== own?.name)
}
