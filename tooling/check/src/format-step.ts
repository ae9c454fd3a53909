import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command } from './command.ts'
import type { Step, StepResult } from './step.ts'

/** The files with planted faults, each with words of the message that reports the fault. */
const CANARIES: Readonly<Record<string, string>> = {
  'other-format.ts': 'Formatter would have printed',
  'any-type.ts': 'lint/suspicious/noExplicitAny',
}

/**
 * Checks the planted faults with the rules of the repository. This happens in a temporary folder, because the rules
 * ignore the folder of the planted faults. Each fault must be reported, and a file without a fault must be accepted.
 */
function canary(root: string): StepResult {
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8')) as Record<string, unknown>
  const folder = mkdtempSync(join(tmpdir(), 'halley-format-'))
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, files: { includes: ['**'] } }))
  const check = (name: string): StepResult => {
    copyFileSync(join(root, 'tooling/check/canaries/format', name), join(folder, name))
    return command(root, ['biome', 'check', '--config-path', folder, join(folder, name)])
  }
  const silent = Object.entries(CANARIES).filter(([name, words]) => {
    const { ok, output } = check(name)
    return ok || !output.includes(words)
  })
  const fine = check('fine.ts')
  rmSync(folder, { recursive: true })
  const missed = silent.map(([name]) => `${name}: no fault`)
  return { ok: missed.length > 0 || !fine.ok, output: [...missed, ...(fine.ok ? [] : [fine.output])].join('\n') }
}

export const FORMAT_STEP: Step = {
  name: 'format',
  guards: 'one format, the recommended lint rules, no type any',
  run: (root) => command(root, ['biome', 'check', '.']),
  canary,
}
