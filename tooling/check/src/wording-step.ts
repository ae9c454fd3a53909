import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { sourceFiles } from './imports.ts'
import type { Step, StepResult } from './step.ts'
import { findWordingFaults, wordingFaults } from './wording.ts'

const CANARIES = ['anew.ts', 'none.ts', 'told.ts', 'who.ts']

function run(root: string): StepResult {
  const faults = findWordingFaults(root)
  return { ok: faults.length === 0, output: faults.join('\n') }
}

/** Not ok, as wanted, if each planted fault is found and nothing else. */
function canary(root: string): StepResult {
  const folder = join(root, 'tooling/check/canaries/wording')
  const faults = sourceFiles(folder).flatMap((file) =>
    wordingFaults(relative(folder, file), readFileSync(file, 'utf8')),
  )
  const silent = CANARIES.filter((file) => !faults.some((fault) => fault.startsWith(`${file}:`)))
  const wrong = faults.filter((fault) => fault.startsWith('fine.ts:'))
  return {
    ok: silent.length + wrong.length > 0,
    output: [...silent.map((file) => `${file}: no fault`), ...wrong].join('\n'),
  }
}

export const WORDING_STEP: Step = {
  name: 'wording',
  guards: 'the wording of comments (docs/style.md)',
  run,
  canary,
}
