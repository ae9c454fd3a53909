import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { findFlagFaults, flagFaults } from './flags.ts'
import { sourceFiles } from './imports.ts'
import { listenerFaults } from './listeners.ts'
import type { Step, StepResult } from './step.ts'

const resultOf = (faults: readonly string[]): StepResult => ({ ok: faults.length === 0, output: faults.join('\n') })

/**
 * Runs the check on planted faults. Returns the lines with the comment `planted` that the check does not report, and
 * the reported lines without this comment.
 */
function differences(root: string): string[] {
  const folder = join(root, 'tooling/check/canaries/endings')
  const files = sourceFiles(folder)
  const faults = [...flagFaults(folder, files), ...listenerFaults(folder, files)]
  const planted = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.includes('// planted') ? [`${relative(folder, file)}:${index + 1}:`] : [])),
  )
  const silent = planted.filter((place) => !faults.some((fault) => fault.startsWith(place)))
  const wrong = faults.filter((fault) => !planted.some((place) => fault.startsWith(place)))
  return [...silent.map((place) => `${place} no fault`), ...wrong]
}

export const ENDINGS_STEP: Step = {
  name: 'endings',
  guards: 'hand-made flags for the end of a component, listeners that no signal removes',
  run: (root) => {
    const files = ['packages', 'apps'].flatMap((group) => sourceFiles(join(root, group)))
    const sources = files.filter((file) => file.includes('/src/') && !file.endsWith('.test.ts'))
    return resultOf([...findFlagFaults(root), ...listenerFaults(root, sources)])
  },
  // If the check finds exactly the planted faults, `ok` must be false: see {@link Step.canary}.
  canary: (root) => {
    const wrong = differences(root)
    return { ok: wrong.length > 0, output: wrong.join('\n') }
  },
}
