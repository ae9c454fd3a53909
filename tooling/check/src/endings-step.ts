import { join } from 'node:path'
import { findFlagFaults, flagFaults } from './flags.ts'
import { packageSources, sourceFiles } from './imports.ts'
import { joinedSignalFaults } from './joined-signals.ts'
import { listenerFaults } from './listeners.ts'
import { comparePlanted } from './planted.ts'
import { resultOf, type Step } from './step.ts'

export const ENDINGS_STEP: Step = {
  name: 'endings',
  guards: 'refuses hand-made flags for the end of a component, listeners that no signal removes, and AbortSignal.any',
  run: (root) => {
    const files = packageSources(root)
    return resultOf([
      ...findFlagFaults(root, files),
      ...listenerFaults(root, files),
      ...joinedSignalFaults(root, files),
    ])
  },
  canary: (root) => {
    const folder = join(root, 'tooling/check/canaries/endings')
    const files = sourceFiles(folder)
    return comparePlanted(folder, files, [
      ...flagFaults(folder, files),
      ...listenerFaults(folder, files),
      ...joinedSignalFaults(folder, files),
    ])
  },
}
