import { join } from 'node:path'
import { findExportFaults } from './exports.ts'
import type { Step } from './step.ts'

const HINT = "If the change is meant, 'pnpm exports' writes the lists. Changes of published names need a changeset."

/** The lines that the step must report for the package with planted faults. */
export const EXPORTS_CANARY: readonly string[] = [
  'packages/one/package.json: the entry ./all/* is a pattern: list the entries by hand',
  'packages/one/exports.txt:',
  '  - @org/one exports Kept: class',
  '  - @org/one exports gone: function',
  '  + @org/one exports Kept: type',
  '  + @org/one exports added: value',
]

export const EXPORTS_STEP: Step = {
  name: 'exports',
  guards: 'compares the names that each package exports with its exports.txt',
  run: (root) => {
    const faults = findExportFaults(root)
    return { ok: faults.length === 0, output: [...faults, HINT].join('\n') }
  },
  canary: (root) => {
    const found = findExportFaults(join(root, 'tooling/check/canaries/exports'), ['packages/one'])
    const silent = EXPORTS_CANARY.filter((line) => !found.includes(line))
    return { ok: silent.length > 0, output: silent.map((line) => `not found: ${line.trim()}`).join('\n') }
  },
}
