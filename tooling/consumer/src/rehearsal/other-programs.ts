import { type PinnedProgram, pinnedProgramOfThisMachine, pinnedPrograms } from '@org/node-packages'
import { ROOT } from '../packages.ts'

/** Returns the pinned Node.js of the platforms that this machine is not. The rehearsal publishes a stub in place of each. */
export function otherPrograms(): readonly PinnedProgram[] {
  const own = pinnedProgramOfThisMachine(ROOT)
  return pinnedPrograms(ROOT).filter(({ name }) => name !== own?.name)
}
