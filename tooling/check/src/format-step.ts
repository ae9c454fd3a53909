import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { command } from './command.ts'
import type { Step, StepResult } from './step.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

/** The files with planted faults, each with words of the message that reports the fault. */
const CANARIES: Readonly<Record<string, string>> = {
  'other-format.ts': 'Formatter would have printed',
  'any-type.ts': 'lint/suspicious/noExplicitAny',
}

/**
 * The path of a folder in which the formatter checks files. In a temporary folder, the files with planted faults are
 * copied into a folder with this path.
 */
const PLACE = 'packages/canary/src'

/**
 * Checks the planted faults with the unchanged rules of the repository. The faults are copied to {@link PLACE} in a
 * temporary folder, because the rules ignore the folder `canaries` of the repository. Each fault must be reported, and
 * a file without a fault must be accepted.
 */
function canary(root: string): StepResult {
  return inTemporaryFolder('halley-format-', (folder) => {
    cpSync(join(root, 'biome.json'), join(folder, 'biome.json'))
    mkdirSync(join(folder, PLACE), { recursive: true })
    const check = (name: string): StepResult => {
      cpSync(join(root, 'tooling/check/canaries/format', name), join(folder, PLACE, name))
      return command(root, ['biome', 'check', join(PLACE, name)], folder)
    }
    const silent = Object.entries(CANARIES).filter(([name, words]) => {
      const { ok, output } = check(name)
      return ok || !output.includes(words)
    })
    const fine = check('fine.ts')
    const missed = silent.map(([name]) => `${name}: no fault`)
    return { ok: missed.length > 0 || !fine.ok, output: [...missed, ...(fine.ok ? [] : [fine.output])].join('\n') }
  })
}

export const FORMAT_STEP: Step = {
  name: 'format',
  guards: 'checks the format and the recommended lint rules, and refuses the type any',
  run: (root) => command(root, ['biome', 'check', '.']),
  canary,
}
